package dev.baton.jmh;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.Inlet.Batch;
import dev.baton.RunningChain;
import dev.baton.Sender;
import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a message for a chain of one service over Chronicle Queue, by its sender: a source on the loop, an inlet that hands each
 * message over at once, or an inlet with batches. One thread sends and turns the loop, so that the figure is the cost of sending, without
 * the waits of two threads for each other; a sender on a separate thread moves lines between cores in addition.
 */
public class InletCost extends NanosBenchmark {
    private static final int MESSAGES = 16;
    private static final int PAYLOAD = 32;

    /** The sender. */
    public enum By {
        SOURCE,
        INLET,
        BATCH
    }

    @Param
    public By by;

    private Path directory;
    private Loops loops;
    private ChronicleTransport transport;
    private RunningChain chain;
    private Inlet inlet;
    private final OwedSource source = new OwedSource(PAYLOAD, MESSAGES, (claim, number) -> claim.putLong(0, 1));
    private long received;

    /** Opens a chain of one service, two hops, for each iteration, as an iteration's files are removed with it. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = Files.createTempDirectory("baton-inlet-");
        loops = Loops.manual().idle(Idle.spin());
        transport = ChronicleTransport.in(directory, ChronicleOptions.defaults());
        var deployment = Chain.named("inlet")
                .then("service", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> received++);
        if (by == By.SOURCE) {
            chain = deployment.from(source).start();
        } else {
            chain = deployment.start();
            inlet = chain.inlet();
        }
    }

    private void send(Sender to) {
        for (int i = 0; i < MESSAGES; i++) {
            to.tryClaim(PAYLOAD).putLong(0, 1).commit(PAYLOAD);
        }
    }

    /** Sixteen messages from the sender to the sink; the figure is for one message. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long message() {
        long until = received + MESSAGES;
        switch (by) {
            case SOURCE -> source.owe(MESSAGES);
            case INLET -> send(inlet);
            case BATCH -> {
                try (Batch batch = inlet.batch()) {
                    send(batch);
                }
            }
        }
        while (received < until) {
            loops.turn();
        }
        return received;
    }

    @TearDown(Level.Iteration)
    public void close() {
        chain.close();
        loops.close();
        transport.close();
        IoUtil.delete(directory.toFile(), false);
    }
}
