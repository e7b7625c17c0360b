package dev.baton.spring;

import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.function.Predicate;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;

/**
 * The application's availability, for the probes of liveness and readiness: by its events, unless chains are worse.
 * <ul>
 * <li>Not ready while a chain is not running, waits for its restart, or has a loop that a callback blocks.
 * <li>Broken when a chain has failed and is not restarted, or a callback has blocked its loop for {@code baton.stuck-after}: a restart of
 * the process may help.
 * </ul>
 * Thread-safe.
 */
final class BatonAvailability extends ApplicationAvailabilityBean {
    private final BatonChains chains;
    private final Duration stuckAfter;

    BatonAvailability(BatonChains chains, Duration stuckAfter) {
        this.chains = chains;
        this.stuckAfter = stuckAfter;
    }

    @Override
    public <S extends AvailabilityState> S getState(Class<S> type, S defaultState) {
        return worse(type, super.getState(type, defaultState));
    }

    @Override
    public <S extends AvailabilityState> S getState(Class<S> type) {
        return worse(type, super.getState(type));
    }

    private <S extends AvailabilityState> S worse(Class<S> type, S told) {
        if (type == LivenessState.class && any(this::isBroken)) {
            return type.cast(LivenessState.BROKEN);
        }
        if (type == ReadinessState.class
                && told == ReadinessState.ACCEPTING_TRAFFIC
                && (!chains.isRunning() || any(each -> !isReady(each)))) {
            return type.cast(ReadinessState.REFUSING_TRAFFIC);
        }
        return told;
    }

    private boolean any(Predicate<ChainStatus> condition) {
        return chains.status().values().stream().anyMatch(condition);
    }

    static boolean isReady(ChainStatus status) {
        return status.health().isHealthy();
    }

    private boolean isBroken(ChainStatus status) {
        return status.phase() == ChainStatus.Phase.FAILED
                || status.blocked()
                        .filter(part -> part.duration().compareTo(stuckAfter) >= 0)
                        .isPresent();
    }
}
