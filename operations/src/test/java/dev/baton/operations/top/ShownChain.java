package dev.baton.operations.top;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.manage.ManagedChain;
import dev.baton.run.Loops;
import java.io.IOException;
import java.io.InputStream;

/** A JVM with a chain that is shown to JMX, until its standard input ends. */
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
                ManagedChain shown = ManagedChain.register(running, 0)) {
            for (int i = 0; i < 3; i++) {
                running.inlet().send(new byte[8]);
            }
            System.out.println(shown.name());
            until.read();
        }
    }
}
