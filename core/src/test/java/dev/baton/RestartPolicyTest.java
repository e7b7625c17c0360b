package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.RestartPolicy.Attempts;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.LostTransportException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What a policy says of each kind of failure, and of failures in a row. */
class RestartPolicyTest {
    private static final long SECOND = 1_000_000_000L;

    private final RestartPolicy policy = RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofMillis(300));

    @Test
    void pausesDoubleAndRestartBehindASteadyRun() {
        Attempts attempts = policy.attempts("c-1");
        List<Long> pauses = new ArrayList<>();
        for (long ran : new long[] {0, 0, 0, 0, 10 * SECOND, 0}) {
            pauses.add(attempts.after(new TransportException("gone"), ran, 0)
                    .pause()
                    .toMillis());
        }
        assertThat(pauses).containsExactly(100L, 200L, 300L, 300L, 100L, 200L);
        assertThat(attempts.restarts()).isEqualTo(6);
    }

    @Test
    void failuresBeyondTheLimitEndTheChain() {
        Attempts attempts = policy.atMost(2, Duration.ofSeconds(10)).attempts("c-1");
        assertThat(kind(attempts, 0)).isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(kind(attempts, 6)).isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(kind(attempts, 11)).as("the first is out of the window").isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(kind(attempts, 12)).isEqualTo(Attempts.Step.Kind.GIVE_UP);
        assertThat(attempts.restarts()).isEqualTo(3);
    }

    @Test
    void mistakesOfConfigurationAreNotOpenedAgain() {
        Throwable mistake =
                new ServiceFailure("s1", "c-0", 1, new ConfigurationException("type 0 for a codec of type 1"));
        Attempts.Step step = policy.afterServiceFailures().attempts("c-1").after(mistake, 0, 0);
        assertThat(step.kind()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    @Test
    void firstOfTwoFailedServicesIsReported() {
        ServiceFailure first = new ServiceFailure("s1", "c-0", 4, new IllegalStateException("first"));
        first.addSuppressed(new ServiceFailure("s2", "c-1", 3, new IllegalStateException("second")));
        assertThat(policy.attempts("c-1").after(first, 0, 0).cause()).isSameAs(first);
    }

    @Test
    void exceptionAtStartNamesItsService() {
        Exception thrown = new NumberFormatException("12x");
        thrown.addSuppressed(new ServiceFailure("s1", "c-0", ServiceFailure.NO_MESSAGE, thrown));
        Attempts.Step step = policy.attempts("c-1").after(thrown, 0, 0);
        assertThat(step.cause()).isInstanceOf(ServiceFailure.class).hasMessageContaining("s1");
        assertThat(step.kind()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    @Test
    void errorWithinAnExceptionNamesItsService() {
        Error thrown = new AssertionError("no key");
        thrown.addSuppressed(new ServiceFailure("s1", "c-0", ServiceFailure.NO_MESSAGE, thrown));
        Attempts.Step step = policy.attempts("c-1").after(new CompletionException(thrown), 0, 0);
        assertThat(step.cause()).isInstanceOf(ServiceFailure.class).hasRootCause(thrown);
        assertThat(step.kind()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    private static Attempts.Step.Kind kind(Attempts attempts, long second) {
        return attempts.after(new TransportException("gone"), 0, second * SECOND)
                .kind();
    }

    @Test
    void chainReplacedAtDecidingTopicIsNotReopened() {
        Attempts attempts = policy.attempts("c-1");
        Throwable there = new IllegalStateException("in a loop", new ReplacedException("c-1", "a newer writer"));
        assertThat(attempts.after(there, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.REPLACED);
        Attempts.Step elsewhere = attempts.after(new ReplacedException("c-0", "a newer reader"), 0, 0);
        assertThat(elsewhere.kind()).isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(elsewhere.pause()).isBetween(Duration.ofMillis(100), Duration.ofMillis(300));
        assertThat(policy.attempts(null).after(there, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.RESTART);
    }

    @Test
    void writerAloneDecidesWhereTheProcessWrites() {
        ReplacedException reader = new ReplacedException("c-1", "end", "a newer reader", null);
        ReplacedException writer = new ReplacedException("c-1", "a newer writer");
        assertThat(policy.attempts("c-1", true).after(reader, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(policy.attempts("c-1", true).after(writer, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.REPLACED);
        assertThat(policy.attempts("c-1", false).after(reader, 0, 0).kind())
                .as("of a tap")
                .isEqualTo(Attempts.Step.Kind.REPLACED);
    }

    @Test
    void replacementAtDecidingTopicCountsWhereSuppressed() {
        ReplacedException first = new ReplacedException("c-0", "a newer writer");
        first.addSuppressed(new TransportException("ended", new ReplacedException("c-1", "a newer writer", first)));
        assertThat(policy.attempts("c-1", true).after(first, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.REPLACED);
    }

    @Test
    void permanentFailuresAreNotRetried() {
        for (Throwable cause : List.of(
                new AccessRefusedException("no login"),
                new TopicMismatchException("another topic"),
                new DamagedTopicException("a wrong checksum", false),
                new LostTransportException("the driver is lost", null),
                new IllegalArgumentException("size=9"),
                new ServiceFailure("s1", "c-0", 7, new IOException("no disk")),
                new OutOfMemoryError("no heap"))) {
            Attempts.Step step = policy.attempts("c-1").after(cause, 0, 0);
            assertThat(step.kind()).as(cause.toString()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
            assertThat(step.cause()).isSameAs(cause);
        }
    }

    @Test
    void loopThatOpensLateIsRetried() {
        Throwable late = new IllegalStateException("a loop did not open its part", new TimeoutException("10 s"));
        assertThat(policy.attempts("c-1").after(late, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.RESTART);
        ServiceFailure ofService = new ServiceFailure("s1", "c-0", 7, new TimeoutException("its database"));
        assertThat(policy.attempts("c-1").after(ofService, 0, 0).kind()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    @Test
    void policyReopensThrowingServicesButNotAfterErrors() {
        Attempts attempts = policy.afterServiceFailures().attempts("c-1");
        assertThat(attempts.after(new ServiceFailure("s1", "c-0", 7, new IOException("no disk")), 0, 0)
                        .kind())
                .isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(attempts.after(new ServiceFailure("s1", "c-0", 7, new OutOfMemoryError("no heap")), 0, 0)
                        .kind())
                .isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    @Test
    void refusedWriterStandsByWithoutARestart() {
        Attempts attempts = policy.atMost(1, Duration.ofHours(1)).attempts("c-1");
        for (int i = 0; i < 5; i++) {
            Attempts.Step step = attempts.after(new OccupiedException("topic c-1 has a live writer"), 0, 0);
            assertThat(step.kind()).isEqualTo(Attempts.Step.Kind.STAND_BY);
            assertThat(step.pause()).isEqualTo(RestartPolicy.STANDBY_PAUSE);
        }
        assertThat(attempts.restarts()).isZero();
    }

    @Test
    void unlimitedTimesNeverEnd() {
        Duration unlimited = Duration.ofSeconds(Long.MAX_VALUE);
        Attempts attempts = policy.atMost(1, unlimited).steadyAfter(unlimited).attempts("c-1");
        assertThat(attempts.after(new TransportException("away"), 0, 0).kind()).isEqualTo(Attempts.Step.Kind.RESTART);
        assertThat(attempts.after(new TransportException("away"), 0, 1).kind()).isEqualTo(Attempts.Step.Kind.GIVE_UP);
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> RestartPolicy.backoff(Duration.ZERO, second))
                .hasMessageContaining("PT0.001S to PT1H is allowed");
        assertThatThrownBy(() -> RestartPolicy.backoff(second, Duration.ofMillis(1)))
                .hasMessageContaining("PT0.001S to PT1H is allowed");
        assertThatThrownBy(() -> RestartPolicy.backoff(second, Duration.ofHours(2)))
                .hasMessageContaining("PT0.001S to PT1H is allowed");
        assertThatThrownBy(() -> policy.atMost(0, second)).hasMessageContaining("0 restarts within PT1S");
        assertThatThrownBy(() -> policy.atMost(1, Duration.ZERO)).hasMessageContaining("1 restarts within PT0S");
        assertThatThrownBy(() -> policy.steadyAfter(Duration.ofNanos(-1))).hasMessageContaining("0 or more");
    }
}
