package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeploymentOptionsTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final Chain chain =
            Chain.named("c").then("s", () -> (in, out) -> out.forward(in)).build();

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void mergesRefuseOptionsOfChains() {
        transport.createTopics(List.of("a", "b"));
        Deployment merge =
                Merge.named("m").from("a").from("b").build().on(transport).with(loops);

        assertThatThrownBy(() -> merge.instance(1).onOutput(in -> {}).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("merge m takes no instance, onOutput; leave it out");
    }

    @Test
    void optionsOfPartitionsNeedPartitions() {
        assertThatThrownBy(() -> chain.on(transport)
                        .with(loops)
                        .sessionTimeout(Duration.ofSeconds(6))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("chain c without partitions(...) takes no sessionTimeout; leave it out");
    }

    @Test
    void startedChainsDoNotFollowLaterOptions() {
        List<String> received = new ArrayList<>();
        Deployment deployment = chain.on(transport).with(loops).onOutput(in -> received.add("first"));
        RunningChain first = deployment.start();
        RunningChain second =
                deployment.instance(1).onOutput(in -> received.add("second")).start();

        first.inlet().send(new byte[1]);
        second.inlet().send(new byte[1]);
        loops.turn();

        assertThat(received).containsExactlyInAnyOrder("first", "second");
        RunningChain.closeAll(List.of(first, second), Duration.ofSeconds(5));
        assertThat(first.close(Duration.ZERO)).isTrue();
    }

    @Test
    void restartedChainsKeepTheirOptions() {
        List<String> received = new ArrayList<>();
        try (Loops threads = Loops.cooperative(1)) {
            Deployment deployment = chain.on(transport)
                    .with(threads)
                    .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(2)))
                    .onOutput(in -> received.add("first"));
            try (RunningChain running = deployment.start()) {
                deployment.onOutput(in -> received.add("second"));
                running.inlet().send(new byte[1]);
                assertThat(running.close(Duration.ofSeconds(5))).isTrue();
            }
        }

        assertThat(received).containsExactly("first");
    }
}
