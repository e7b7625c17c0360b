package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends into a chain by its own callbacks. */
class SendInCallbackTest {
    private static final String REFUSAL =
            "java.lang.IllegalStateException: send was called on a loop of chain c, where it"
                    + " could wait forever for room that this loop has to free; use offer or tryClaim there, or send from another"
                    + " thread";

    private final HostileTransport transport = new HostileTransport();
    private final CompletableFuture<RunningChain> running = new CompletableFuture<>();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private volatile Runnable inService = () -> {};
    private volatile Runnable inOutput = () -> {};
    private volatile Runnable inListener = () -> {};

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServiceCannotSendIntoItsChain(boolean isRestarting) {
        inService = this::send;
        assertThat(run(isRestarting)).isEqualTo(REFUSAL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOutputHandlerCannotSendIntoItsChain(boolean isRestarting) {
        inOutput = this::send;
        assertThat(run(isRestarting)).isEqualTo(REFUSAL);
    }

    @Test
    void aListenerCannotSendIntoItsChain() {
        inListener = this::send;
        assertThat(run(false)).isEqualTo(REFUSAL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallbackClaimsInItsChain(boolean isRestarting) {
        inOutput = () -> {
            if (!result.isDone()) {
                running.join().inlet().tryClaim(1).commit(1);
                result.complete("committed");
            }
        };
        assertThat(run(isRestarting)).isEqualTo("committed");
        assertThat(transport.frames("c-0")).hasSizeGreaterThan(1);
    }

    @Test
    void aThreadThatTurnsLoopsSendsBetweenTurns() {
        try (Loops loops = Loops.manual();
                RunningChain chain = deployment(loops).start()) {
            chain.inlet().send(new byte[1]);
            loops.turn();
            chain.inlet().send(new byte[1]);
        }
        assertThat(transport.frames("c-0")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "batch", "sequence"})
    void loopsDoNotWaitForTheNextRun(String operation) {
        inService = () -> {
            throw new IllegalStateException("the run ends");
        };
        prepareInput();
        transport.createTopics(List.of("w-0", "w-1"));
        try (Loops loops = Loops.cooperative(1);
                RunningChain ended = deployment(loops)
                        .restart(RestartPolicy.backoff(Duration.ofMinutes(1), Duration.ofMinutes(1))
                                .afterServiceFailures())
                        .start();
                RunningChain other = Chain.named("w")
                        .then("s1", () -> (in, out) -> result.complete(refusal(ended.inlet(), operation)))
                        .build()
                        .on(transport)
                        .with(loops)
                        .start()) {
            await().until(() -> ended.status().phase() == ChainStatus.Phase.RESTARTING);
            other.inlet().send(new byte[1]);
            assertThat(result.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(REFUSAL);
        }
    }

    private static String refusal(Inlet inlet, String operation) {
        try {
            switch (operation) {
                case "send" -> inlet.send(new byte[1]);
                case "batch" -> inlet.batch();
                default -> inlet.sequence();
            }
            return "accepted";
        } catch (RuntimeException refused) {
            return refused.toString();
        }
    }

    /** Runs the chain with one input; returns the result of the callback that sends. */
    private String run(boolean isRestarting) {
        prepareInput();
        try (Loops loops = Loops.threadPerService()) {
            Deployment deployment = deployment(loops);
            if (isRestarting) {
                deployment.restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
            }
            try (RunningChain chain = deployment.start()) {
                running.complete(chain);
                return result.orTimeout(20, TimeUnit.SECONDS).join();
            }
        }
    }

    private void prepareInput() {
        transport.createTopics(List.of("c-0", "c-1"));
        byte[] frame = new byte[Frame.HEADER_BYTES + 1];
        HostileTransport.view(frame).stamp(0, 0, 0, 1, 1);
        HostileTransport.view(frame).sequence(1);
        transport.topic("c-0").add(frame);
    }

    private void send() {
        try {
            running.join().inlet().send(new byte[1]);
            result.complete("sent");
        } catch (RuntimeException refused) {
            result.complete(refused.toString());
        }
    }

    private Deployment deployment(Loops loops) {
        return Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    inService.run();
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> result.complete(cause.toString()))
                .onOutput(in -> inOutput.run())
                .listen(new ChainListener() {
                    @Override
                    public void onBatch(String service, String topic, int inputs, int outputs) {
                        inListener.run();
                    }
                });
    }
}
