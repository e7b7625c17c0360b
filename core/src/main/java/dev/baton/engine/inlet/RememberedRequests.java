package dev.baton.engine.inlet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The newest requests that have an id of the client, so that a resend gets the answer of the first one, for some time after that
 * was known. Thread-safe.
 */
final class RememberedRequests<R> {
    /** The reply of a request, or the reason why there is none, and the time at which it was known. */
    record Answer<R>(Optional<R> reply, Throwable failure, long sinceNanos) {
        void to(CompletableFuture<Optional<R>> request) {
            if (failure == null) {
                request.complete(reply);
            } else {
                request.completeExceptionally(failure);
            }
        }
    }

    /**
     * The result of adding a request.
     *
     * @param isFirst whether its id was not remembered before
     * @param answer answer to the id; null if it is not known
     */
    record Added<R>(boolean isFirst, Answer<R> answer) {}

    /** A request with its answer, or the numbers of the open requests that wait for it. */
    static final class Known<R> {
        private Answer<R> answer; // null until it is known
        private List<Long> waiting = new ArrayList<>(1); // null from then on
    }

    private final int most;
    private final long ageNanos;
    private final Map<UUID, Known<R>> requests = new LinkedHashMap<>(); // oldest first; guarded by this
    private Map<UUID, Answer<R>>
            arrived; // the first of each id while the history is read; otherwise null; guarded by this

    RememberedRequests(OpenRequests.Resends limits) {
        most = limits.most();
        ageNanos = limits.ageNanos();
    }

    /** Returns the answer of a request; null if the request is not remembered, or has none yet. */
    synchronized Answer<R> answer(UUID id, long nowNanos) {
        Known<R> known = find(id, nowNanos);
        return known == null ? null : known.answer;
    }

    /**
     * Begins the reading of the history, whose answers come before those that arrive until {@link #endHistory}: a request may lead to
     * several messages, of which the first is the answer, and the history may have it.
     */
    synchronized void beginHistory() {
        arrived = new HashMap<>();
    }

    /** Ends the reading of the history: requests without an answer in it get the one that arrived meanwhile. */
    synchronized void endHistory() {
        arrived.forEach(this::answered);
        arrived = null;
    }

    /** Returns whether an answer that arrives is taken. */
    synchronized boolean isAwaited(UUID id) {
        return arrived == null ? isUnanswered(id) : arrived.size() < most && !arrived.containsKey(id);
    }

    /** Takes an answer that arrives. Returns the open requests that waited for it. */
    synchronized List<Long> arrived(UUID id, Answer<R> answer) {
        if (arrived == null) {
            return answered(id, answer);
        }
        arrived.putIfAbsent(id, answer);
        return List.of();
    }

    /** Returns whether a request is remembered and has no answer yet. */
    synchronized boolean isUnanswered(UUID id) {
        Known<R> known = requests.get(id);
        return known != null && known.answer == null;
    }

    private Known<R> find(UUID id, long nowNanos) {
        Known<R> known = requests.get(id);
        if (known != null && known.answer != null && nowNanos - known.answer.sinceNanos > ageNanos) {
            requests.remove(id);
            return null;
        }
        return known;
    }

    /**
     * Adds an open request to those that wait for the answer to an id, unless it is known, and remembers the id. Returns the answer
     * together with that, as it may be forgotten at any time.
     */
    synchronized Added<R> add(UUID id, Long number, long nowNanos) {
        boolean isFirst = add(id, nowNanos);
        Known<R> known = requests.get(id);
        if (known.answer == null) {
            known.waiting.add(number);
        }
        return new Added<>(isFirst, known.answer);
    }

    /** Adds a request. Returns whether no earlier one with its id is remembered. */
    synchronized boolean add(UUID id, long nowNanos) {
        if (find(id, nowNanos) != null) {
            return false;
        }
        if (requests.size() == most) {
            requests.remove(oldest(known -> known.answer != null)
                    .or(() -> oldest(known -> known.waiting.isEmpty())) // a reply would not reach those that wait
                    .orElse(requests.keySet().iterator().next()));
        }
        requests.put(id, new Known<>());
        return true;
    }

    private Optional<UUID> oldest(Predicate<Known<R>> which) {
        return requests.entrySet().stream()
                .filter(each -> which.test(each.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Removes an open request from those that wait. */
    synchronized void leave(UUID id, Long number) {
        Known<R> known = requests.get(id);
        if (known != null && known.answer == null) {
            known.waiting.remove(number);
        }
    }

    /** Sets the answer of a request. Returns the open requests that waited for it. */
    synchronized List<Long> answered(UUID id, Answer<R> answer) {
        Known<R> known = requests.get(id);
        if (known == null || known.answer != null) {
            return List.of();
        }
        List<Long> waited = known.waiting;
        known.answer = answer;
        known.waiting = null;
        return waited;
    }

    /** Forgets a request that was not sent. Returns the open requests that wait for its answer. */
    synchronized List<Long> remove(UUID id) {
        Known<R> known = requests.remove(id);
        return known == null || known.answer != null ? List.of() : known.waiting;
    }
}
