package dev.baton.lab.study.window;

/**
 * What the job's messages look like. A message's type is 0 for an event, whose payload is its key, and for everything else
 * the step that it is about: a watermark, which has no payload and says that every event of that step was sent, and a
 * result, whose payload is key and count. The origin is an event's slot, otherwise the end of the step. Stateless,
 * thread-safe.
 */
final class Wire {
    static final int EVENT = 0;
    static final int EVENT_BYTES = Integer.BYTES;
    static final int RESULT_BYTES = Long.BYTES;

    private Wire() {}

    static long result(int key, int count) {
        return (long) count << Integer.SIZE | key;
    }

    static int key(long result) {
        return (int) result;
    }

    static int count(long result) {
        return (int) (result >>> Integer.SIZE);
    }
}
