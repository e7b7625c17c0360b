package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;

/** Records a chain's traffic, with a clock that the test moves: an hour takes a second. Confined to one thread. */
final class Recording {
    private final RecordedTime clock = new RecordedTime();
    private final Transport transport;
    private final long stepNanos;
    private long number;

    /** Begins now, by the clock of this machine, which the transport's writers use. */
    Recording(Transport transport, Duration step) {
        this.transport = transport;
        stepNanos = step.toNanos();
        clock.at(System.nanoTime());
    }

    /** Sends messages through a chain, which is started for them and closed behind them. */
    Recording of(Chain chain, MessageGenerator generator, int maxPayload, int count) {
        try (Loops loops = Loops.manual().in(clock);
                RunningChain running = chain.on(transport).with(loops).start()) {
            Inlet inlet = running.inlet();
            for (int i = 0; i < count; i++) {
                clock.pass(stepNanos);
                Claim claim;
                while ((claim = inlet.tryClaim(maxPayload)) == null) {
                    loops.turn();
                }
                claim.commit(generator.write(number++, claim));
                rest(loops);
            }
            while (!running.close(Duration.ofMillis(1)) && running.failure().isEmpty()) {
                loops.turn();
            }
        }
        return this;
    }

    private static void rest(Loops loops) {
        int quiet = 0;
        while (quiet < 2) {
            quiet = loops.turn() == 0 ? quiet + 1 : 0;
        }
    }
}
