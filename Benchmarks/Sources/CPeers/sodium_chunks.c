// libsodium alone, as the lower limit of every sealed file.

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "peers.h"

struct job {
  uint8_t *target;
  const uint8_t *source;
  size_t size;
  const uint8_t *key;
  int opens;
  // Threads take the next free chunk, so that one that starts late does not delay the others.
  _Atomic size_t next;
  _Atomic int failed;
  // The number of threads without the caller; guarded by the lock.
  int working, most_working;
};

enum { chunks_at_once = 1, most_threads = 255 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static struct job *current;
static uint64_t job_number;
static int thread_count;

static size_t chunk_count(size_t size) {
  return (size + KEEPSAKE_PEER_CHUNK_SIZE - 1) / KEEPSAKE_PEER_CHUNK_SIZE;
}

static void do_chunk(struct job *job, size_t chunk) {
  uint8_t nonce[24] = {0};
  uint64_t number = chunk;
  memcpy(nonce, &number, sizeof number);
  size_t plain = chunk * KEEPSAKE_PEER_CHUNK_SIZE;
  size_t sealed = plain + chunk * KEEPSAKE_PEER_TAG_SIZE;
  size_t length = job->size - plain;
  if (length > KEEPSAKE_PEER_CHUNK_SIZE) length = KEEPSAKE_PEER_CHUNK_SIZE;
  if (job->opens) {
    int result = crypto_aead_xchacha20poly1305_ietf_decrypt(
        job->target + plain, NULL, NULL, job->source + sealed, length + KEEPSAKE_PEER_TAG_SIZE,
        NULL, 0, nonce, job->key);
    if (result != 0) atomic_store(&job->failed, 1);
  } else {
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        job->target + sealed, NULL, job->source + plain, length, NULL, 0, NULL, nonce, job->key);
  }
}

static void work(struct job *job) {
  size_t count = chunk_count(job->size);
  for (;;) {
    size_t first = atomic_fetch_add(&job->next, chunks_at_once);
    if (first >= count) return;
    size_t last = first + chunks_at_once < count ? first + chunks_at_once : count;
    for (size_t chunk = first; chunk < last; chunk++) do_chunk(job, chunk);
  }
}

static void *wait_for_jobs(void *unused) {
  (void)unused;
  uint64_t seen = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (current == NULL || job_number == seen) pthread_cond_wait(&started, &lock);
    seen = job_number;
    struct job *job = current;
    if (job->working >= job->most_working) continue;
    job->working++;
    pthread_mutex_unlock(&lock);
    work(job);
    pthread_mutex_lock(&lock);
    if (--job->working == 0) pthread_cond_signal(&finished);
  }
  return NULL;
}

static int run(struct job *job, int threads) {
  if (threads > most_threads) threads = most_threads;
  if (threads > 1 && chunk_count(job->size) > chunks_at_once) {
    pthread_mutex_lock(&lock);
    for (; thread_count < threads - 1; thread_count++) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, wait_for_jobs, NULL) != 0) break;
      pthread_detach(thread);
    }
    job->most_working = threads - 1;
    current = job;
    job_number++;
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&lock);
    work(job);
    pthread_mutex_lock(&lock);
    current = NULL;
    while (job->working > 0) pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
  } else {
    work(job);
  }
  return !atomic_load(&job->failed);
}

int keepsake_peer_start(void) { return sodium_init() >= 0; }

size_t keepsake_peer_sealed_size(size_t size) {
  return size + chunk_count(size) * KEEPSAKE_PEER_TAG_SIZE;
}

void keepsake_peer_seal(
    uint8_t *sealed, const uint8_t *plaintext, size_t size, const uint8_t key[32], int threads) {
  struct job job = {.target = sealed, .source = plaintext, .size = size, .key = key};
  run(&job, threads);
}

int keepsake_peer_open(
    uint8_t *plaintext, const uint8_t *sealed, size_t size, const uint8_t key[32], int threads) {
  struct job job = {
      .target = plaintext, .source = sealed, .size = size, .key = key, .opens = 1};
  return run(&job, threads);
}
