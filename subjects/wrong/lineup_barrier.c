/*
 * The barrier (Line-Up's Table 1), with root cause L: there is nothing wrong with it, but a barrier
 * is not linearizable. Two threads that meet in it let each other go, and both return; one call at
 * a time the first waits for ever, and there is no second.
 *
 * It starts with one participant, for whom it is open. signal_and_wait answers 0, THROWS when there
 * is no participant, CANCELLED after a cancel.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { THROWS = -1, CANCELLED = -2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int participants = 1, arrived, phase; /* behind the lock */
static bool cancelled;

/* All that are expected have come: the next phase begins. */
static void finish_if_all(void)
{
    if (arrived < participants)
        return;
    arrived = 0;
    phase++;
    pthread_cond_broadcast(&changed);
}

/* Waits for the phase's end; whoever is cancelled has not come. */
static int meet(void)
{
    int now = phase;
    arrived++;
    finish_if_all();
    while (phase == now && !cancelled)
        pthread_cond_wait(&changed, &lock);
    if (phase != now)
        return 0;
    arrived--;
    return CANCELLED;
}

static int signal_and_wait(void)
{
    pthread_mutex_lock(&lock);
    int answer = cancelled ? CANCELLED : participants == 0 ? THROWS : meet();
    pthread_mutex_unlock(&lock);
    return answer;
}

static int add_participant(void)
{
    pthread_mutex_lock(&lock);
    participants++;
    int now = phase;
    pthread_mutex_unlock(&lock);
    return now;
}

static int remove_participant(void)
{
    int answer = THROWS;
    pthread_mutex_lock(&lock);
    if (participants > 0) {
        participants--;
        answer = 0;
        if (arrived > 0)
            finish_if_all();
    }
    pthread_mutex_unlock(&lock);
    return answer;
}

static void cancel_token(void)
{
    pthread_mutex_lock(&lock);
    cancelled = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int look(const int *at)
{
    pthread_mutex_lock(&lock);
    int value = at ? *at : participants - arrived;
    pthread_mutex_unlock(&lock);
    return value;
}

static int participants_remaining(void)
{
    return look(NULL);
}

static int participant_count(void)
{
    return look(&participants);
}

static int current_phase_number(void)
{
    return look(&phase);
}

PLUMB_CALL(signal_and_wait())
PLUMB_CALL(participants_remaining())
PLUMB_CALL(remove_participant())
PLUMB_CALL(cancel_token())
PLUMB_CALL(current_phase_number())
PLUMB_CALL(participant_count())
PLUMB_CALL(add_participant())
