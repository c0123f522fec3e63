/* wire_mpi.c - wire.h over MPI. Beside it every rank holds a TCP connection to rank 0, over which nothing but an end is
 * ever said: MPI waits for ever for a rank that is gone, a socket does not. */
#define _POSIX_C_SOURCE 200809L
#include "wire.h"
#include <mpi.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 1, END = 2, REFUSED = 2, NAME = 256, LABEL = 400 };

static struct peer {
    char *buffer;
    size_t room;
    bool ended;
    int32_t last[2];   /* when it has ended: its code; whether it was the first it knew of to end */
    int socket;        /* to it; -1: none */
    char host[NAME], label[LABEL];
} peer[HD_MAX_RANKS];

static int ranks = 1, rank;
static MPI_Request *sending;
static size_t sends, sends_room;
static uint64_t messages, bytes_sent;
static pthread_t watcher;
static _Atomic bool ending;
static int own_errors = -1; /* what this rank, which is not rank 0, has said */

static _Noreturn void no_memory(void)
{
    fprintf(stderr, "heddle: out of memory\n");
    _exit(REFUSED);
}

/* ---- ranks that are gone -------------------------------------------------------------------------------------- */

struct end {
    int32_t rank; /* that is gone; -1: none, rank 0 takes its leave */
};

static void say(const char *format, unsigned which)
{
    char text[1024];
    int n = snprintf(text, sizeof text, format, which, peer[which].host, peer[which].label);

    if (n > 0 && write(own_errors >= 0 ? own_errors : STDERR_FILENO, text, (size_t)n) < 0)
        _exit(REFUSED);
}

/* @told: by rank 0, which has said it. */
static _Noreturn void gone(unsigned which, bool told)
{
    const struct end e = {(int32_t)which};

    for (int i = 1; rank == 0 && i < ranks; i++)
        if (peer[i].socket >= 0 && (unsigned)i != which && send(peer[i].socket, &e, sizeof e, MSG_NOSIGNAL) < 0)
            continue;
    if (!told)
        say("heddle: rank %u on %s is gone; it had %s. The run ends, nothing is kept\n", which);
    _exit(REFUSED);
}

static void *watch(void *arg)
{
    struct pollfd at[HD_MAX_RANKS];
    unsigned of[HD_MAX_RANKS];
    nfds_t n = 0, leaves = 0;

    for (int i = 0; i < ranks; i++)
        if (peer[i].socket >= 0) {
            of[n] = (unsigned)i;
            at[n++] = (struct pollfd){.fd = peer[i].socket, .events = POLLIN};
        }
    while (leaves < n && poll(at, n, -1) >= 0) {
        for (nfds_t i = 0; i < n; i++) {
            struct end e;
            if (at[i].revents == 0)
                continue;
            ssize_t got = recv(at[i].fd, &e, sizeof e, MSG_WAITALL);
            if (got == sizeof e && e.rank >= 0 && e.rank < ranks)
                gone((unsigned)e.rank, true);
            if (got != sizeof e && !atomic_load(&ending))
                gone(of[i], false);
            at[i].fd = -1; /* has taken its leave */
            leaves++;
        }
    }
    return arg;
}

/* Rank 0 listens, says where, and knows the others by a number that only they have been told. */
static bool connect_all(void)
{
    struct {
        char host[NAME];
        uint64_t token;
        uint16_t port;
    } at = {0};
    struct hello {
        uint64_t token;
        int32_t rank;
    } hello;
    struct sockaddr_in any = {.sin_family = AF_INET};
    socklen_t length = sizeof any;
    int listener = -1;

    for (int i = 0; i < ranks; i++)
        peer[i].socket = -1;
    if (rank == 0) {
        FILE *f = fopen("/dev/urandom", "rb");
        bool ok = f != NULL && fread(&at.token, sizeof at.token, 1, f) == 1;
        if (f != NULL)
            fclose(f);
        listener = socket(AF_INET, SOCK_STREAM, 0);
        any.sin_addr.s_addr = htonl(INADDR_ANY);
        ok = ok && listener >= 0 && bind(listener, (struct sockaddr *)&any, sizeof any) == 0 && listen(listener, ranks) == 0
             && getsockname(listener, (struct sockaddr *)&any, &length) == 0;
        at.port = ok ? any.sin_port : 0;
        snprintf(at.host, sizeof at.host, "%s", peer[0].host);
    }
    MPI_Bcast(&at, sizeof at, MPI_BYTE, 0, MPI_COMM_WORLD);
    bool good = at.port != 0;
    if (rank != 0 && good) {
        struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *list = NULL;
        bool here = strcmp(at.host, peer[rank].host) == 0;
        int s = socket(AF_INET, SOCK_STREAM, 0);
        good = s >= 0 && getaddrinfo(here ? "127.0.0.1" : at.host, NULL, &hints, &list) == 0 && list != NULL;
        if (good) {
            ((struct sockaddr_in *)(void *)list->ai_addr)->sin_port = at.port;
            hello = (struct hello){at.token, rank};
            good = connect(s, list->ai_addr, list->ai_addrlen) == 0
                   && send(s, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello;
        }
        if (list != NULL)
            freeaddrinfo(list);
        peer[0].socket = s;
    }
    int all = 0, one = good;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    for (int left = ranks - 1; rank == 0 && all && left > 0;) {
        int s = accept(listener, NULL, NULL);
        if (s >= 0 && recv(s, &hello, sizeof hello, MSG_WAITALL) == (ssize_t)sizeof hello && hello.token == at.token
            && hello.rank > 0 && hello.rank < ranks && peer[hello.rank].socket < 0) {
            peer[hello.rank].socket = s;
            left--;
        } else if (s >= 0)
            close(s);
    }
    if (listener >= 0)
        close(listener);
    if (!all && rank == 0)
        fprintf(stderr, "heddle: the ranks cannot reach %s over TCP\n", at.host);
    return all != 0;
}

/* ---- start and end --------------------------------------------------------------------------------------------- */

/* A rank other than 0 says what rank 0 says: it is kept, and printed when it ends alone. */
static void be_quiet(void)
{
    FILE *f = tmpfile();

    if (f == NULL || freopen("/dev/null", "w", stdout) == NULL)
        no_memory();
    fflush(stderr);
    own_errors = dup(STDERR_FILENO);
    if (own_errors < 0 || dup2(fileno(f), STDERR_FILENO) < 0)
        no_memory();
    setvbuf(stderr, NULL, _IONBF, 0);
}

static void speak(void)
{
    char line[4096];
    ssize_t n;

    if (own_errors < 0)
        return;
    n = snprintf(line, sizeof line, "heddle: rank %d on %s:\n", rank, peer[rank].host);
    lseek(STDERR_FILENO, 0, SEEK_SET);
    while (n > 0 && write(own_errors, line, (size_t)n) == n)
        n = read(STDERR_FILENO, line, sizeof line);
}

bool hd_wire_open(int *argc, char ***argv)
{
    int given;

    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (ranks > HD_MAX_RANKS) {
        fprintf(stderr, "heddle: %d ranks: at most %d\n", ranks, HD_MAX_RANKS);
        return false;
    }
    char host[NAME] = "", (*hosts)[NAME] = calloc((size_t)ranks, NAME);
    if (hosts == NULL)
        no_memory();
    gethostname(host, sizeof host - 1);
    MPI_Allgather(host, NAME, MPI_BYTE, hosts, NAME, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) {
        memcpy(peer[i].host, hosts[i], NAME);
        snprintf(peer[i].label, LABEL, "no tiles yet");
    }
    free(hosts);
    if (ranks == 1)
        return true;
    if (!connect_all())
        return false;
    if (rank != 0)
        be_quiet();
    return pthread_create(&watcher, NULL, watch, NULL) == 0;
}

int hd_wire_close(int code)
{
    struct end e = {-1};

    if (ranks > 1) {
        struct peer *own = &peer[rank];
        own->last[0] = code;
        own->last[1] = 1;
        for (int i = 0; i < ranks; i++)
            if (peer[i].ended)
                own->last[1] = 0;
        hd_wire_sent();
        for (int i = 0; i < ranks; i++) /* those who still run learn of it */
            if (i != rank)
                MPI_Send(own->last, 2, MPI_INT32_T, i, END, MPI_COMM_WORLD);
        for (int i = 0; i < ranks; i++)
            for (size_t n; i != rank && !peer[i].ended;)
                hd_wire_receive((unsigned)i, &n); /* what it had sent before it knew */
        if (code != 0 && own->last[1] && (code != peer[0].last[0] || !peer[0].last[1]))
            speak();
        code = peer[0].last[0];
        for (int i = 1; i < ranks && code == 0; i++)
            if (peer[i].last[0] != 0)
                code = REFUSED;
        MPI_Barrier(MPI_COMM_WORLD);
        atomic_store(&ending, true);
        for (int i = 0; i < ranks; i++)
            if (peer[i].socket >= 0 && send(peer[i].socket, &e, sizeof e, MSG_NOSIGNAL) < 0)
                continue;
        pthread_join(watcher, NULL);
    }
    MPI_Finalize();
    return code;
}

unsigned hd_wire_ranks(void)
{
    return (unsigned)ranks;
}

unsigned hd_wire_rank(void)
{
    return (unsigned)rank;
}

void hd_wire_label(unsigned which, const char *text)
{
    snprintf(peer[which].label, LABEL, "%s", text);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

void hd_wire_send(unsigned to, const void *bytes, size_t n)
{
    if (sends == sends_room) {
        sends_room += (size_t)ranks;
        sending = realloc(sending, sends_room * sizeof *sending);
        if (sending == NULL)
            no_memory();
    }
    MPI_Isend(bytes, (int)n, MPI_BYTE, (int)to, WINDOW, MPI_COMM_WORLD, &sending[sends++]);
    messages++;
    bytes_sent += n;
}

void hd_wire_sent(void)
{
    MPI_Waitall((int)sends, sending, MPI_STATUSES_IGNORE);
    sends = 0;
}

/* Waits for a message: a while with the processor busy, then asleep for longer and longer, so that ranks that build models or
 * have much to do get the processors of a host that has fewer of them. */
static void probe(int from, MPI_Status *status)
{
    enum { SPINS = 2000, LEAST = 20000, MOST = 1000000 }; /* nanoseconds */
    struct timespec rest = {.tv_nsec = LEAST};
    int there = 0;

    for (unsigned i = 0; MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, status), !there; i++) {
        if (i < SPINS)
            continue;
        nanosleep(&rest, NULL);
        rest.tv_nsec = 2 * rest.tv_nsec < MOST ? 2 * rest.tv_nsec : MOST;
    }
}

void *hd_wire_receive(unsigned from, size_t *n)
{
    struct peer *p = &peer[from];
    MPI_Status status;
    int count;

    probe((int)from, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if ((size_t)count > p->room) {
        free(p->buffer);
        p->room = 2 * (size_t)count;
        p->buffer = malloc(p->room);
        if (p->buffer == NULL)
            no_memory();
    }
    MPI_Recv(p->buffer, count, MPI_BYTE, (int)from, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *n = (size_t)count;
    if (status.MPI_TAG == WINDOW)
        return p->buffer;
    p->ended = true;
    memcpy(p->last, p->buffer, sizeof p->last);
    return NULL;
}

void hd_wire_count(uint64_t *m, uint64_t *b)
{
    *m = messages;
    *b = bytes_sent;
}
