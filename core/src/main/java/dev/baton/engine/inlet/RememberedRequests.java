package dev.baton.engine.inlet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

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

    private final int most;
    private final long ageNanos;
    private final Map<UUID, CompletableFuture<Answer<R>>> answers =
            new LinkedHashMap<>(); // oldest first; guarded by this

    RememberedRequests(OpenRequests.Resends limits) {
        most = limits.most();
        ageNanos = limits.ageNanos();
    }

    /** Returns the answer of a request, which may be complete; null if the request is not remembered. */
    synchronized CompletableFuture<Answer<R>> find(UUID id, long nowNanos) {
        CompletableFuture<Answer<R>> answer = answers.get(id);
        if (answer != null && answer.isDone() && nowNanos - answer.join().sinceNanos > ageNanos) {
            answers.remove(id);
            return null;
        }
        return answer;
    }

    /** Adds a request. Returns the answer of an earlier one with its id, whose answer is not too old; null for none. */
    synchronized CompletableFuture<Answer<R>> add(UUID id, CompletableFuture<Answer<R>> answer, long nowNanos) {
        CompletableFuture<Answer<R>> first = find(id, nowNanos);
        if (first == null) {
            if (answers.size() == most) {
                answers.remove(answers.entrySet().stream()
                        .filter(each -> each.getValue().isDone())
                        .findFirst()
                        .orElse(answers.entrySet().iterator().next())
                        .getKey());
            }
            answers.put(id, answer);
        }
        return first;
    }

    /** Forgets a request that was not sent. */
    synchronized void remove(UUID id, CompletableFuture<Answer<R>> answer) {
        answers.remove(id, answer);
    }
}
