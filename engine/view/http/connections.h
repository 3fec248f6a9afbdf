/* SPDX-License-Identifier: Apache-2.0 */
/* Limits the connections to the server, so that slow or hostile clients neither keep viewers out nor take the
 * descriptors that the run needs. A request must be complete by a deadline, however slowly its bytes come. Users of
 * this host other than the run's have a part of all connections, and each of them a part of these. If connections run
 * out, those that never showed the token are shut, the oldest first. The server's thread. */
#ifndef MASS_ENGINE_VIEW_HTTP_CONNECTIONS_H
#define MASS_ENGINE_VIEW_HTTP_CONNECTIONS_H

#include "base/error.h"

#include <microhttpd.h>

typedef struct mass_view_connections mass_view_connections;

/* Makes the limits for a server at a socket: as many connections as the limit of open files permits. Returns
 * MASS_FAILED if that is none. The caller frees *out. */
mass_status mass_view_connections_create(int listening, mass_view_connections **out, mass_error *error);
/* Frees the limits. No connection may be open. */
void mass_view_connections_free(mass_view_connections *);

/* Returns the library's limit: a few more, as connections that are shut remain for a moment. */
unsigned mass_view_connections_limit(const mass_view_connections *);

/* Callbacks of the library: whether to accept a connection (MHD_AcceptPolicyCallback), for which an older one may be
 * shut; and that one has begun or ended (MHD_OPTION_NOTIFY_CONNECTION). */
enum MHD_Result mass_view_connections_accept(void *connections, const struct sockaddr *peer, socklen_t size);
void mass_view_connections_notify(void *connections, struct MHD_Connection *, void **context,
                                  enum MHD_ConnectionNotificationCode);

/* Records that a request is complete, and starts the time in which a client without the token must get its answer. */
void mass_view_connection_note_request(struct MHD_Connection *);
/* Record that the sender has shown the token; that its answer has been sent. */
void mass_view_connection_note_token(struct MHD_Connection *);
void mass_view_connection_note_answer(struct MHD_Connection *);

/* Shuts connections whose deadline has passed. Returns the milliseconds until the next one; -1: none. */
int mass_view_connections_expire(mass_view_connections *);

#endif
