package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Failures of chains with a restart policy that are reported. */
class RestartedFailuresTest {
    private final List<Throwable> reported = new CopyOnWriteArrayList<>();

    private RunningChain start(Loops loops, Service service) {
        return Chain.named("c")
                .then("s1", () -> service)
                .build()
                .on(new HostileTransport())
                .with(loops)
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1)))
                .onFailure(reported::add)
                .onOutput(in -> {})
                .start();
    }

    @Test
    void causesMayFormCycle() {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = start(loops, (in, out) -> {
                    Exception cause = new Exception("cause");
                    cause.initCause(new Exception("failure", cause));
                    throw cause;
                })) {
            running.inlet().send(new byte[8]);
            await().until(() -> running.failure().isPresent());
            assertThat(reported).singleElement().isInstanceOf(ServiceFailure.class);
        }
    }

    @Test
    void failureWhileClosingIsReported() {
        Service service = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public void onClosing(Outlet out) {
                throw new IllegalStateException("closing");
            }
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = start(loops, service)) {
            assertThat(running.close(Duration.ofSeconds(5))).isFalse();
            assertThat(running.failure()).isPresent();
            assertThat(reported).singleElement().isInstanceOf(ServiceFailure.class);
        }
    }
}
