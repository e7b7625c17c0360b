package dev.baton.status;

import java.util.Optional;

/**
 * The health of a running chain. Immutable, thread-safe.
 *
 * @param isHealthy whether the chain runs and all its loops answer
 * @param reason why it is not healthy; for a healthy chain the consumer that holds one of its topics back, or empty
 */
public record ChainHealth(boolean isHealthy, Optional<String> reason) {
    static ChainHealth of(ChainStatus status) {
        String problem = problem(status);
        if (problem != null) {
            return new ChainHealth(false, Optional.of(problem));
        }
        return new ChainHealth(true, status.holdingBack().map(HeldBack::toString));
    }

    /** Returns the reason why the chain is not healthy; null for none. */
    private static String problem(ChainStatus status) {
        String chain = "chain " + status.chain().name();
        String cause = status.failure().map(Throwable::toString).orElse("unknown");
        switch (status.phase()) {
            case FAILED:
                return chain + " has failed: " + cause;
            case RESTARTING:
                return chain + " is opened again after a failure: " + cause;
            case CLOSING:
                return chain + " is closing";
            case CLOSED:
                return chain + " is closed";
            default:
                break;
        }
        if (status.blocked().isPresent()) {
            BlockedPart blocked = status.blocked().get();
            return chain + ": a call of '" + blocked.name() + "' has blocked its loop for "
                    + blocked.duration().toMillis() + " ms";
        }
        return status.isComplete()
                ? null
                : chain + ": a loop has not answered within " + ChainStatus.PATIENCE.toMillis()
                        + " ms; another chain's service blocks it, or its services have that much to do";
    }
}
