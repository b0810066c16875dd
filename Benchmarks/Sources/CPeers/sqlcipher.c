// SQLCipher as the system ships it. It is opened at run time and keeps its names to itself: its functions have the
// names of SQLite's, which GRDB needs. The database has one row with the whole content.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

// Results of SQLite's functions.
enum { SQL_OK = 0, SQL_ROW = 100, SQL_DONE = 101 };

// The functions of SQLite that are called here.
static struct {
  int (*open)(const char *, void **);
  int (*close)(void *);
  int (*execute)(void *, const char *, void *, void *, char **);
  int (*prepare)(void *, const char *, int, void **, const char **);
  int (*finalize)(void *);
  int (*bind)(void *, int, const void *, int, void (*)(void *));
  int (*step)(void *);
  int (*reset)(void *);
  const void *(*bytes)(void *, int);
  int (*size)(void *, int);
  const char *(*text)(void *, int);
} sql;

struct keepsake_sqlcipher {
  void *database, *saving, *loading;
};

// A key of 32 bytes, so that none is derived; each commit waits for the disk.
static const char beginning[] =
    "PRAGMA key = \"x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'\";"
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE state (id INTEGER PRIMARY KEY, content BLOB)";

static void *function(void *library, const char *name, int *all) {
  void *found = dlsym(library, name);
  if (!found) *all = 0;
  return found;
}

static int find_functions(void) {
  static int are_found = -1;
  if (are_found >= 0) return are_found;
  are_found = 0;
  // With deep binding the library calls its own functions, and not those of SQLite. It stays open.
  void *library = dlopen("libsqlcipher.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) return 0;
  int all = 1;
  *(void **)&sql.open = function(library, "sqlite3_open", &all);
  *(void **)&sql.close = function(library, "sqlite3_close", &all);
  *(void **)&sql.execute = function(library, "sqlite3_exec", &all);
  *(void **)&sql.prepare = function(library, "sqlite3_prepare_v2", &all);
  *(void **)&sql.finalize = function(library, "sqlite3_finalize", &all);
  *(void **)&sql.bind = function(library, "sqlite3_bind_blob", &all);
  *(void **)&sql.step = function(library, "sqlite3_step", &all);
  *(void **)&sql.reset = function(library, "sqlite3_reset", &all);
  *(void **)&sql.bytes = function(library, "sqlite3_column_blob", &all);
  *(void **)&sql.size = function(library, "sqlite3_column_bytes", &all);
  *(void **)&sql.text = function(library, "sqlite3_column_text", &all);
  return are_found = all;
}

int keepsake_peer_has_sqlcipher(void) { return find_functions(); }

void keepsake_peer_sqlcipher_close(keepsake_sqlcipher *peer) {
  if (!peer) return;
  if (peer->saving) sql.finalize(peer->saving);
  if (peer->loading) sql.finalize(peer->loading);
  if (peer->database) sql.close(peer->database);
  free(peer);
}

keepsake_sqlcipher *keepsake_peer_sqlcipher_open(const char *path) {
  if (!find_functions()) return NULL;
  keepsake_sqlcipher *peer = calloc(1, sizeof *peer);
  if (!peer) return NULL;
  if (sql.open(path, &peer->database) == SQL_OK &&
      sql.execute(peer->database, beginning, NULL, NULL, NULL) == SQL_OK &&
      sql.prepare(peer->database, "INSERT OR REPLACE INTO state VALUES (1, ?)", -1, &peer->saving, NULL) == SQL_OK &&
      sql.prepare(peer->database, "SELECT content FROM state", -1, &peer->loading, NULL) == SQL_OK)
    return peer;
  keepsake_peer_sqlcipher_close(peer);
  return NULL;
}

int keepsake_peer_sqlcipher_version(keepsake_sqlcipher *peer, char *text, size_t capacity) {
  void *question = NULL;
  int is_found = 0;
  if (sql.prepare(peer->database, "PRAGMA cipher_version", -1, &question, NULL) == SQL_OK &&
      sql.step(question) == SQL_ROW) {
    const char *found = sql.text(question, 0);
    is_found = found && strlen(found) < capacity;
    if (is_found) strcpy(text, found);
  }
  if (question) sql.finalize(question);
  return is_found;
}

int keepsake_peer_sqlcipher_save(keepsake_sqlcipher *peer, const uint8_t *bytes, size_t size) {
  int is_saved = sql.bind(peer->saving, 1, bytes, (int)size, NULL) == SQL_OK && sql.step(peer->saving) == SQL_DONE;
  return sql.reset(peer->saving) == SQL_OK && is_saved;
}

int64_t keepsake_peer_sqlcipher_load(keepsake_sqlcipher *peer, uint8_t *bytes, size_t capacity) {
  int64_t size = -1;
  if (sql.step(peer->loading) == SQL_ROW) {
    const void *content = sql.bytes(peer->loading, 0);
    size_t count = (size_t)sql.size(peer->loading, 0);
    if (content && count <= capacity) {
      memcpy(bytes, content, count);
      size = (int64_t)count;
    }
  }
  sql.reset(peer->loading);
  return size;
}
