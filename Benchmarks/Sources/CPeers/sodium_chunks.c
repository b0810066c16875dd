// libsodium alone, as the floor that no sealed file goes below.

#include <pthread.h>
#include <sodium.h>
#include <string.h>

#include "peers.h"

struct part {
  uint8_t *target;
  const uint8_t *source;
  size_t size;
  const uint8_t *key;
  size_t first, last;
  int opens;
  int verified;
};

static size_t chunk_count(size_t size) {
  return (size + KEEPSAKE_PEER_CHUNK_SIZE - 1) / KEEPSAKE_PEER_CHUNK_SIZE;
}

static void *run(void *argument) {
  struct part *part = argument;
  uint8_t nonce[24] = {0};
  part->verified = 1;
  for (size_t chunk = part->first; chunk < part->last; chunk++) {
    size_t plain = chunk * KEEPSAKE_PEER_CHUNK_SIZE;
    size_t sealed = plain + chunk * KEEPSAKE_PEER_TAG_SIZE;
    size_t length = part->size - plain;
    if (length > KEEPSAKE_PEER_CHUNK_SIZE) length = KEEPSAKE_PEER_CHUNK_SIZE;
    uint64_t number = chunk;
    memcpy(nonce, &number, sizeof number);
    if (part->opens) {
      int result = crypto_aead_xchacha20poly1305_ietf_decrypt(
          part->target + plain, NULL, NULL, part->source + sealed, length + KEEPSAKE_PEER_TAG_SIZE,
          NULL, 0, nonce, part->key);
      if (result != 0) part->verified = 0;
    } else {
      crypto_aead_xchacha20poly1305_ietf_encrypt(
          part->target + sealed, NULL, part->source + plain, length, NULL, 0, NULL, nonce,
          part->key);
    }
  }
  return NULL;
}

static int run_on_threads(struct part whole, int threads) {
  enum { most_threads = 256 };
  struct part parts[most_threads];
  pthread_t handles[most_threads];
  size_t chunks = chunk_count(whole.size);
  if (threads > most_threads) threads = most_threads;
  if ((size_t)threads > chunks) threads = chunks > 0 ? (int)chunks : 1;
  int verified = 1;
  for (int index = 0; index < threads; index++) {
    parts[index] = whole;
    parts[index].first = chunks * index / threads;
    parts[index].last = chunks * (index + 1) / threads;
    if (index > 0 && pthread_create(&handles[index], NULL, run, &parts[index]) != 0) return 0;
  }
  run(&parts[0]);
  for (int index = 0; index < threads; index++) {
    if (index > 0) pthread_join(handles[index], NULL);
    verified = verified && parts[index].verified;
  }
  return verified;
}

int keepsake_peer_start(void) { return sodium_init() >= 0; }

size_t keepsake_peer_sealed_size(size_t size) {
  return size + chunk_count(size) * KEEPSAKE_PEER_TAG_SIZE;
}

void keepsake_peer_seal(
    uint8_t *sealed, const uint8_t *plaintext, size_t size, const uint8_t key[32], int threads) {
  struct part whole = {.target = sealed, .source = plaintext, .size = size, .key = key};
  run_on_threads(whole, threads);
}

int keepsake_peer_open(
    uint8_t *plaintext, const uint8_t *sealed, size_t size, const uint8_t key[32], int threads) {
  struct part whole = {
      .target = plaintext, .source = sealed, .size = size, .key = key, .opens = 1};
  return run_on_threads(whole, threads);
}
