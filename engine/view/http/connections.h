/* SPDX-License-Identifier: Apache-2.0 */
/* Who is connected to the server, and for how long, so that nobody who is slow or hostile keeps viewers out, or takes
 * the descriptors that the run needs. A request has to be there as a whole by a deadline, however slowly its bytes
 * come. Users of this host other than the run's have a part of all connections, and each of them a part of these; when
 * connections run out, those that never knew the token make room, the oldest first. The server's thread. */
#ifndef MASS_ENGINE_VIEW_HTTP_CONNECTIONS_H
#define MASS_ENGINE_VIEW_HTTP_CONNECTIONS_H

#include "base/error.h"

#include <microhttpd.h>

typedef struct mass_view_connections mass_view_connections;

/* Of a server at that socket: as many as the limit of open files leaves the run's viewers. MASS_FAILED: that is none.
 * The caller frees them. */
mass_status mass_view_connections_create(int listening, mass_view_connections **out, mass_error *error);
void mass_view_connections_free(mass_view_connections *);

/* What the library is to take at most; a few more, as those that are shut stay a moment. */
unsigned mass_view_connections_limit(const mass_view_connections *);

/* For the library: whether to take a connection (MHD_AcceptPolicyCallback), and that one has begun or ended
 * (MHD_OPTION_NOTIFY_CONNECTION). */
enum MHD_Result mass_view_connections_accept(void *connections, const struct sockaddr *peer, socklen_t size);
void mass_view_connections_notify(void *connections, struct MHD_Connection *, void **context,
                                  enum MHD_ConnectionNotificationCode);

/* The request is there as a whole; its sender has shown the token; its answer has gone. */
void mass_view_connection_is_whole(struct MHD_Connection *);
void mass_view_connection_knows(struct MHD_Connection *);
void mass_view_connection_is_done(struct MHD_Connection *);

/* Shuts those whose deadline is over. Returns the milliseconds until the next one; -1: there is none. */
int mass_view_connections_expire(mass_view_connections *);

#endif
