#ifndef KEEPSAKE_BENCHMARKS_PEERS_H
#define KEEPSAKE_BENCHMARKS_PEERS_H

#include <stddef.h>
#include <stdint.h>

/// The size of the chunks that libsodium seals one by one, and of the tag after each.
#define KEEPSAKE_PEER_CHUNK_SIZE 65536
#define KEEPSAKE_PEER_TAG_SIZE 16

/// Initialises libsodium; returns 0 on failure.
int keepsake_peer_start(void);

/// The number of bytes that sealing this many bytes gives.
size_t keepsake_peer_sealed_size(size_t size);

/// Only seals chunks with XChaCha20-Poly1305 and a counter as nonce, on a number of threads.
void keepsake_peer_seal(
    uint8_t *sealed, const uint8_t *plaintext, size_t size, const uint8_t key[32], int threads);

/// Opens them again; returns 0 when a tag does not verify.
int keepsake_peer_open(
    uint8_t *plaintext, const uint8_t *sealed, size_t size, const uint8_t key[32], int threads);

/// Writes a file durably with only the system calls of Spec/replacement.md, section 1: it does not search for
/// stale files, make names, or check anything.
///
/// Returns 0 when a call failed.
int keepsake_peer_replace_durably(
    const char *directory, const char *name, const uint8_t *bytes, size_t size);

/// Opens a file for appending, and makes it; returns its descriptor, or -1.
int keepsake_peer_open_appending(const char *path);

/// Appends bytes durably: one write, one fdatasync. Returns 0 when a call failed.
int keepsake_peer_append_durably(int file, const uint8_t *bytes, size_t size);

/// Closes the file.
void keepsake_peer_close(int file);

/// Runs a program to its end, without its output.
///
/// Returns its status, or -1 when it did not start or a signal ended it; and its peak memory, which the
/// kernel never counts as less than that of the starting process.
int keepsake_peer_run(const char *const arguments[], int64_t *peak);

/// Reads a whole file into memory that is large enough; returns the bytes read, or -1.
int64_t keepsake_peer_read(const char *path, uint8_t *bytes, size_t capacity);

/// A database of SQLCipher with one row.
typedef struct keepsake_sqlcipher keepsake_sqlcipher;

/// Returns 1 when the system has SQLCipher, else 0.
int keepsake_peer_has_sqlcipher(void);

/// Makes a database under a key of 32 bytes, in which each commit waits for the disk; returns NULL on failure.
keepsake_sqlcipher *keepsake_peer_sqlcipher_open(const char *path);

/// Closes the database.
void keepsake_peer_sqlcipher_close(keepsake_sqlcipher *peer);

/// Writes the version of SQLCipher into memory, with a zero at its end; returns 0 on failure.
int keepsake_peer_sqlcipher_version(keepsake_sqlcipher *peer, char *text, size_t capacity);

/// Replaces the content in a transaction; returns 0 on failure.
int keepsake_peer_sqlcipher_save(keepsake_sqlcipher *peer, const uint8_t *bytes, size_t size);

/// Reads the content into memory that is large enough; returns the bytes read, or -1.
int64_t keepsake_peer_sqlcipher_load(keepsake_sqlcipher *peer, uint8_t *bytes, size_t capacity);

/// Drops a file from the system's cache; returns 0 when that is not possible.
int keepsake_peer_forget(const char *path);

#endif
