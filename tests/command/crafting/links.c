/* SPDX-License-Identifier: Apache-2.0 */
/* Links that lead elsewhere, in circles, or to what is no data set; names; objects without end. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USER_LINK = 100 };

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

/* ---- links ---- */

static void external_at(const craft_scene *s, const char *what, const char *victim)
{
    const hid_t file = craft_open(s);
    MUST(H5Ldelete(file, what, H5P_DEFAULT));
    MUST(H5Lcreate_external(victim, what, file, what, H5P_DEFAULT, H5P_DEFAULT));
    craft_close(file);
}

static void external_group(const craft_scene *s) { external_at(s, s->group, s->victim); }
static void external_set(const craft_scene *s) { external_at(s, s->set, s->victim); }
static void external_beside(const craft_scene *s) { external_at(s, s->set, base_name(s->victim)); }

static void soft_at(const craft_scene *s, const char *what, const char *to)
{
    const hid_t file = craft_open(s);
    MUST(H5Lmove(file, what, file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Lcreate_soft(to, file, what, H5P_DEFAULT, H5P_DEFAULT));
    craft_close(file);
}

static void soft_group(const craft_scene *s) { soft_at(s, s->group, "/elsewhere"); }
static void soft_set(const craft_scene *s) { soft_at(s, s->set, "/elsewhere"); }
static void dangling_group(const craft_scene *s) { soft_at(s, s->group, "/nowhere"); }
static void dangling_set(const craft_scene *s) { soft_at(s, s->set, "/nowhere/at/all"); }
static void soft_cycle(const craft_scene *s) { soft_at(s, s->set, s->set); }

static void soft_to_external(const craft_scene *s)
{
    char to[300];
    snprintf(to, sizeof to, "/out%s", s->set);
    soft_at(s, s->set, to);
    const hid_t file = craft_open(s);
    MUST(H5Lcreate_external(s->victim, "/", file, "/out", H5P_DEFAULT, H5P_DEFAULT));
    craft_close(file);
}

static hid_t follow_user(const char *name, hid_t group, const void *data, size_t size, hid_t access, hid_t transfer)
{
    (void)name, (void)data, (void)size, (void)access, (void)transfer;
    return H5Oopen(group, "/", H5P_DEFAULT);
}

static void user_defined(const craft_scene *s)
{
    const H5L_class_t class = {.version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)USER_LINK, .trav_func = follow_user};
    MUST(H5Lregister(&class));
    const hid_t file = craft_open(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    MUST(H5Lcreate_ud(file, s->set, (H5L_type_t)USER_LINK, "mine", 5, H5P_DEFAULT, H5P_DEFAULT));
    craft_close(file);
}

static void hard_in_group(const craft_scene *s, const char *to, const char *name)
{
    const hid_t file = craft_open(s), group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    MUST(H5Lcreate_hard(file, to, group, name, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(group);
    craft_close(file);
}

static void root_in_group(const craft_scene *s) { hard_in_group(s, "/", "root"); }
static void group_in_itself(const craft_scene *s) { hard_in_group(s, s->group, "again"); }
static void set_twice(const craft_scene *s) { hard_in_group(s, s->set, "twin"); }
static void control_name(const craft_scene *s) { hard_in_group(s, s->set, "\x1b[2J\n\x07"); }

static void hard_in_place(const craft_scene *s, const char *what, const char *to)
{
    const hid_t file = craft_open(s);
    MUST(H5Lmove(file, what, file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Lcreate_hard(file, to, file, what, H5P_DEFAULT, H5P_DEFAULT));
    craft_close(file);
}

static void group_is_root(const craft_scene *s) { hard_in_place(s, s->group, "/"); }
static void set_is_root(const craft_scene *s) { hard_in_place(s, s->set, "/"); }

static void long_name(const craft_scene *s)
{
    enum { LENGTH = 60000 };
    char *name = malloc(LENGTH + 1);
    memset(name, 'n', LENGTH);
    name[s->small ? 300 : LENGTH] = '\0';
    hard_in_group(s, s->set, name);
    free(name);
}

/* As many as are soon made: where they are kept in a header, each moves the others. */

static void many_links(const craft_scene *s)
{
    unsigned most, least;
    const hid_t file = craft_open(s), group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    const hid_t list = MUST(H5Gget_create_plist(group));
    MUST(H5Pget_link_phase_change(list, &most, &least));
    H5Pclose(list);
    for (int i = 0; i < craft_many(s, most > 1000); i++) {
        char name[32];
        snprintf(name, sizeof name, "twin_%d", i);
        MUST(H5Lcreate_hard(file, s->set, group, name, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Gclose(group);
    craft_close(file);
}

static void deep_groups(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    hid_t group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    for (int i = 0; i < (s->small ? 60 : 3000); i++) {
        const hid_t inner = MUST(H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Gclose(group);
        group = inner;
    }
    H5Gclose(group);
    craft_close(file);
}

static void group_for_set(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    H5Gclose(MUST(H5Gcreate2(file, s->set, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    craft_close(file);
}

static void type_for_set(const craft_scene *s)
{
    const hid_t file = craft_open(s), type = MUST(H5Tcopy(H5T_STD_U8LE));
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    MUST(H5Tcommit2(file, s->set, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(type);
    craft_close(file);
}

static void no_set(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    craft_close(file);
}

const craft craft_links[] = {
    {"external-group", external_group, CRAFT_GROUP}, {"external-set", external_set, CRAFT_HARMFUL},
    {"external-beside", external_beside, CRAFT_HARMFUL}, {"soft-group", soft_group, CRAFT_GROUP},
    {"soft-set", soft_set, CRAFT_HARMFUL}, {"soft-to-external", soft_to_external, CRAFT_HARMFUL},
    {"dangling-group", dangling_group, CRAFT_GROUP}, {"dangling-set", dangling_set, CRAFT_HARMFUL},
    {"soft-cycle", soft_cycle, CRAFT_HARMFUL}, {"user-defined", user_defined, CRAFT_HARMFUL},
    {"root-in-group", root_in_group, CRAFT_HARMLESS}, {"group-in-itself", group_in_itself, CRAFT_HARMLESS},
    {"set-twice", set_twice, CRAFT_HARMLESS}, {"control-name", control_name, CRAFT_HARMLESS},
    {"group-is-root", group_is_root, CRAFT_GROUP}, {"set-is-root", set_is_root, CRAFT_HARMFUL},
    {"long-name", long_name, CRAFT_HARMLESS}, {"many-links", many_links, CRAFT_HARMLESS},
    {"deep-groups", deep_groups, CRAFT_HARMLESS}, {"group-for-set", group_for_set, CRAFT_HARMFUL},
    {"type-for-set", type_for_set, CRAFT_HARMFUL}, {"no-set", no_set, CRAFT_HARMLESS}};
const size_t craft_links_count = sizeof craft_links / sizeof *craft_links;
