#ifndef KEEPSAKE_BENCHMARKS_PEERS_H
#define KEEPSAKE_BENCHMARKS_PEERS_H

#include <stddef.h>
#include <stdint.h>

/// The size of the chunks that libsodium seals one by one, and of the tag after each.
#define KEEPSAKE_PEER_CHUNK_SIZE 65536
#define KEEPSAKE_PEER_TAG_SIZE 16

/// Starts libsodium; returns 0 when it does not start.
int keepsake_peer_start(void);

/// The bytes that sealing this many leaves.
size_t keepsake_peer_sealed_size(size_t size);

/// Seals chunks with XChaCha20-Poly1305 and a counter as nonce, on a number of threads, and nothing
/// else.
void keepsake_peer_seal(
    uint8_t *sealed, const uint8_t *plaintext, size_t size, const uint8_t key[32], int threads);

/// Opens them again; returns 0 when a tag does not verify.
int keepsake_peer_open(
    uint8_t *plaintext, const uint8_t *sealed, size_t size, const uint8_t key[32], int threads);

/// Writes a file durably by the system calls of Spec/replacement.md, section 1, and nothing else: no
/// search for stale files, no names to be made, no checks.
///
/// Returns 0 when a call failed.
int keepsake_peer_replace_durably(
    const char *directory, const char *name, const uint8_t *bytes, size_t size);

/// Runs a program to its end, without its output.
///
/// Returns its status, or -1 when it did not start or was ended by a signal; and the most memory that
/// it had, which the kernel never counts as less than that of the process which starts it.
int keepsake_peer_run(const char *const arguments[], int64_t *peak);

/// Reads a whole file into memory that is large enough; returns the bytes read, or -1.
int64_t keepsake_peer_read(const char *path, uint8_t *bytes, size_t capacity);

/// Has the system forget what it keeps of a file in memory; returns 0 where it is not asked to.
int keepsake_peer_forget(const char *path);

#endif
