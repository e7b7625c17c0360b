package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.errors.ReplacedException;
import org.junit.jupiter.api.Test;

/** A loop reports the end of an inlet's writer while the inlet's thread does something else. */
class IdleInletTest extends OnBroker {
    @Test
    void replacedInletIsReportedWhileItsSenderIdles() {
        Chain chain = Chain.named("idle-inlet")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain.on(transport()).with(loops).onFailure(cause -> {}).start()) {
            running.inlet().send(new byte[1]);
            probe(chain.topic(0, 0), connect(transport())).writer();
            await().atMost(LONGEST_WAIT).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow()).isInstanceOf(ReplacedException.class);
        }
    }
}
