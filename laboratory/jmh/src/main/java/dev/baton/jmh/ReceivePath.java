package dev.baton.jmh;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.trial.ends.ReceivingEnd;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.rig.MessageSink;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The laboratory's cost for a message that comes out of a chain: its number found by its slot, the account, response and service, the
 * instance's own histogram, and its place among the slowest. The clock is manual, as its reading belongs to the measurement and not to the
 * recording; {@link #withTheClock} includes it. The generator's send delay is a third recording, at the other end: {@link
 * #andTheSendDelay}.
 */
@Fork(1)
@Warmup(iterations = 3, time = 1)
public class ReceivePath extends NanosBenchmark {
    private static final long HIGHEST_NANOS = 100_000_000_000L;
    private static final long MEASURED_NANOS = 86_400_000_000_000L;
    private static final double RATE = 1_000_000;
    private static final long INTERVAL_NANOS = 1_000;
    private static final int SERVICES = 5;
    private static final int SEND_DELAY_NANOS = 120;
    private static final int DELAYS = 1 << 16;

    private static final PayloadPattern.Origin NO_PAYLOAD = (target, length) -> {
        throw new IndexOutOfBoundsException(length);
    };

    /** Instances that take turns: with many, each message has a cache miss on its instance's histogram. */
    @Param({"1", "1000"})
    public int instances;

    /** The course of the latencies: {@code steady}, or a backlog in which each is slower than all before. */
    @Param({"steady", "rising"})
    public String latencies;

    private final int[] delays = new int[DELAYS];
    private MessageSink[] sinks;
    private long[] slots;
    private RecorderPool recorders;
    private LatencyRecorder[] sendDelays;
    private boolean isRising;
    private long now;
    private int turn;
    private long number;

    /** Creates an empty measurement. */
    @Setup(Level.Trial)
    public void begin() {
        isRising = latencies.equals("rising");
        for (int i = 0; i < DELAYS; i++) {
            delays[i] = 2_000 + (i * 7_919 & 0xFFF) + (i % 1_000 == 0 ? 1_000_000 : 0);
        }
        recorders = new RecorderPool(HIGHEST_NANOS);
        sendDelays = recorders.forThisThreadByPhase();
        NanoClock clock = () -> now;
        sinks = new MessageSink[instances];
        slots = new long[instances];
        Load load = new Load(RATE, Load.Arrivals.EVEN, 1);
        for (int i = 0; i < instances; i++) {
            ReceivingEnd end = ReceivingEnd.of(
                    i, load, new Shape(SERVICES, instances, 0), MEASURED_NANOS, clock, recorders, HIGHEST_NANOS);
            sinks[i] = end.sink();
            slots[i] = end.firstSlotNanos();
        }
        number = 0;
    }

    /** Messages that were received and recorded; fewer than {@link #sentCount} means that rejected ones were measured. */
    public long recordedCount() {
        LatencyHistograms taken = LatencyHistograms.upTo(HIGHEST_NANOS);
        recorders.takeInterval(taken);
        return taken.response().getTotalCount();
    }

    public long sentCount() {
        return number;
    }

    private long send() {
        int instance = turn;
        turn = turn + 1 == instances ? 0 : turn + 1;
        long slot = slots[instance];
        slots[instance] = slot + INTERVAL_NANOS;
        long count = number++;
        now = slot + (isRising ? count << 2 : delays[(int) count & DELAYS - 1]);
        return now;
    }

    private long receive() {
        int instance = turn;
        long slot = slots[instance];
        long arrived = send();
        sinks[instance].onMessage(slot, SEND_DELAY_NANOS, SERVICES, 0, NO_PAYLOAD);
        return arrived;
    }

    /** All work of the receiver except reading the clock. */
    @Benchmark
    public long recording() {
        return receive();
    }

    /** All work of the receiver, and the generator's recording of the message. */
    @Benchmark
    public long andTheSendDelay() {
        sendDelays[RecorderPool.MEASURED].recordSendDelay(SEND_DELAY_NANOS);
        return receive();
    }

    /** All work of the receiver, and a reading of the clock. */
    @Benchmark
    public long withTheClock() {
        return receive() + System.nanoTime();
    }

    /** The benchmark's own cost of generating a message. */
    @Benchmark
    public long nothing() {
        return send();
    }
}
