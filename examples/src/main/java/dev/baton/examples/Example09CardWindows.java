package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.ServiceContext;
import dev.baton.examples.CardPayments.Payment;
import dev.baton.examples.CardPayments.Window;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.KeyedState;
import java.io.IOException;
import java.time.Duration;

/** A window for each card, as keyed state that survives its process: the second run continues with the windows of the first one. */
public final class Example09CardWindows {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Example09CardWindows() {}

    /** Sends the sum of the newest payments of the card. */
    static final class Windows implements KeyedService {
        private KeyedState<String, Window> windows;

        @Override
        public void onStart(ServiceContext context) {
            windows = context.state("windows", Window.CODEC);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Payment payment = Payment.CODEC.decode(in);
            windows.expire(Duration.ofHours(1), 2);
            Window window = windows.get(payment.card());
            window = window == null ? new Window() : window;
            long sum = window.add(payment.cents());
            windows.put(payment.card(), window);
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
        }
    }

    static Chain chain() {
        return Chain.named("cards").then("window", Windows::new).build();
    }

    /** Runs the example twice over the same topics. */
    public static void main(String[] args) throws IOException {
        try (ExampleTransport opened = ExampleTransport.of(args.length == 0 ? new String[] {"chronicle"} : args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1)) {
            run(transport, loops, 500, 700);
            run(transport, loops, 100, 300); // another process would do the same
        }
    }

    private static void run(Transport transport, Loops loops, long... payments) {
        try (RunningChain running = chain().on(transport)
                .with(loops)
                .onOutput(in -> System.out.println("payments of the card: " + in.getLong(0)))
                .start()) {
            System.out.println("begins with the state after input "
                    + running.status().parts().get(0).snapshots().restoredInput());
            for (long cents : payments) {
                running.inlet().send(new Payment("4711", cents), Payment.CODEC);
            }
            running.close(PATIENCE);
        }
    }
}
