package dev.baton.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Has services of a test throw what the test says. Confined to one thread. */
final class LiveWatch extends Watch {
    private final Map<String, Deque<Exception>> due = new HashMap<>();
    private RuntimeException misuse; // the first that was not reported yet; null for none

    void throwNext(String service, int times, Exception thrown) {
        Deque<Exception> queue = due.computeIfAbsent(service, any -> new ArrayDeque<>());
        for (int i = 0; i < times; i++) {
            queue.add(thrown);
        }
    }

    @Override
    void before(String service) throws Exception {
        Deque<Exception> queue = due.get(service);
        Exception next = queue == null ? null : queue.poll();
        if (next != null) {
            throw next;
        }
    }

    @Override
    void misused(String service, RuntimeException found) {
        misuse = misuse == null ? found : misuse;
    }

    /** What a service has done that none may, once. */
    RuntimeException takeMisuse() {
        RuntimeException found = misuse;
        misuse = null;
        return found;
    }
}
