package dev.baton.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartReportTest {
    private final Throwable cause = new IllegalStateException("failed");
    private final List<Throwable> reported = new ArrayList<>();

    @Test
    void failureDuringStartIsReportedAtItsEnd() {
        StartReport report = new StartReport("c", reported::add);
        report.accept(cause);
        assertThat(reported).isEmpty();
        report.started();
        assertThat(reported).containsExactly(cause);
    }

    @Test
    void laterFailureIsReportedAtOnce() {
        StartReport report = new StartReport("c", reported::add);
        report.started();
        assertThat(reported).isEmpty();
        report.accept(cause);
        assertThat(reported).containsExactly(cause);
    }

    @Test
    void throwingListenerDoesNotFailTheStart() {
        StartReport report = new StartReport("c", failure -> {
            reported.add(failure);
            throw new IllegalArgumentException("of the listener");
        });
        report.accept(cause);
        report.started();
        assertThat(reported).containsExactly(cause);
    }
}
