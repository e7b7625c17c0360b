package dev.baton.operations.top;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.manage.ManagedChain;
import dev.baton.manage.ManagedStorage;
import dev.baton.manage.StorageWatch;
import dev.baton.run.Loops;
import dev.baton.spi.Transport.StorageUse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A JVM with a chain and a disk that are shown to JMX, until its standard input ends. */
final class ShownChain {
    private ShownChain() {}

    public static void main(String[] arguments) throws IOException {
        run("orders", System.in);
    }

    /** Carries three messages, and says so once a line is read. */
    static void run(String name, InputStream until) throws IOException {
        try (DisruptorTransport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named(name)
                        .then("price", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .start();
                ManagedChain shown = ManagedChain.register(running, 0);
                ManagedStorage disk = ManagedStorage.register(
                        StorageWatch.of(name, () -> Optional.of(new StorageUse(3_000, 7_000))))) {
            for (int i = 0; i < 3; i++) {
                running.inlet().send(new byte[8]);
            }
            System.out.println(shown.name() + " " + disk.name());
            until.read();
        }
    }
}
