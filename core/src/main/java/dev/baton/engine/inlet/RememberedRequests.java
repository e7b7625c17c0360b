package dev.baton.engine.inlet;

import dev.baton.run.Environment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The requests that have an id of the client, so that a resend gets the answer of the first one. Keeps a limited number for a
 * limited time; those that a caller waits for are kept longer. Thread-safe.
 */
final class RememberedRequests<R> {
    /** The reply of a request, or the reason why there is none. */
    record Answer<R>(Optional<R> reply, Throwable failure) {
        void to(CompletableFuture<Optional<R>> request) {
            if (failure == null) {
                request.complete(reply);
            } else {
                request.completeExceptionally(failure);
            }
        }
    }

    private static final class Entry<R> {
        final long sinceNanos;
        final Set<Consumer<Answer<R>>> waiting = new HashSet<>();
        Answer<R> answer; // null until it is known

        Entry(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }

    private final int most;
    private final long ageNanos;
    private final Environment environment;
    private final Map<UUID, Entry<R>> entries =
            new LinkedHashMap<>(); // oldest first; guarded by this, with their contents

    RememberedRequests(int most, long ageNanos, Environment environment) {
        this.most = most;
        this.ageNanos = ageNanos;
        this.environment = environment;
    }

    /** Returns the answer of a request; null if it is not known. */
    synchronized Answer<R> answer(UUID id) {
        Entry<R> entry = current(id);
        return entry == null ? null : entry.answer;
    }

    /** Makes a caller wait for the answer of a request. Returns whether the request is a new one, which has to be sent. */
    boolean join(UUID id, Consumer<Answer<R>> reply) {
        Answer<R> known;
        synchronized (this) {
            Entry<R> entry = current(id);
            if (entry == null) {
                add(id).waiting.add(reply);
                return true;
            }
            known = entry.answer;
            if (known == null) {
                entry.waiting.add(reply);
            }
        }
        if (known != null) {
            reply.accept(known);
        }
        return false;
    }

    /** Ends the waiting of a caller. */
    synchronized void leave(UUID id, Consumer<Answer<R>> reply) {
        Entry<R> entry = entries.get(id);
        if (entry != null) {
            entry.waiting.remove(reply);
        }
    }

    /** Forgets a request that was not sent, and fails the callers that wait for it. */
    void refused(UUID id, RuntimeException why) {
        complete(remove(id), new Answer<>(null, why));
    }

    private synchronized List<Consumer<Answer<R>>> remove(UUID id) {
        return List.copyOf(entries.remove(id).waiting);
    }

    /** Adds a request that was sent before. */
    synchronized void remember(UUID id) {
        if (!entries.containsKey(id)) {
            add(id);
        }
    }

    /** Records the answer of a request, unless it is not remembered or has one. */
    void answered(UUID id, Supplier<Answer<R>> decoded) {
        synchronized (this) {
            Entry<R> entry = entries.get(id);
            if (entry == null || entry.answer != null) {
                return;
            }
        }
        Answer<R> answer = decoded.get();
        List<Consumer<Answer<R>>> waiting;
        synchronized (this) {
            Entry<R> entry = entries.get(id);
            if (entry == null || entry.answer != null) {
                return;
            }
            entry.answer = answer;
            waiting = new ArrayList<>(entry.waiting);
            entry.waiting.clear();
        }
        complete(waiting, answer);
    }

    private static <R> void complete(List<Consumer<Answer<R>>> waiting, Answer<R> answer) {
        waiting.forEach(each -> each.accept(answer));
    }

    /** Returns a request that is not too old; null for none. */
    private Entry<R> current(UUID id) {
        Entry<R> entry = entries.get(id);
        if (entry != null && isOver(entry)) {
            entries.remove(id);
            return null;
        }
        return entry;
    }

    private boolean isOver(Entry<R> entry) {
        return entry.waiting.isEmpty() && environment.nanoTime() - entry.sinceNanos > ageNanos;
    }

    private Entry<R> add(UUID id) {
        Entry<R> added = new Entry<>(environment.nanoTime());
        entries.put(id, added);
        Iterator<Entry<R>> oldest = entries.values().iterator();
        for (Entry<R> each = oldest.next(); entries.size() > most || isOver(each); each = oldest.next()) {
            if (each.waiting.isEmpty()) {
                oldest.remove();
            }
        }
        return added;
    }
}
