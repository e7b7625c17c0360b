package dev.baton.jmh;

import dev.baton.measuring.DeliveryAccount;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.RecorderPool;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * The cost of recording one message, compared with a clock reading and an unused recorder. The target is 40 ns for everything that belongs
 * to a message: response, service, send delay, the instance's own histogram, the account.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordingBenchmark {
    private static final long HIGHEST = 60_000_000_000L;
    private static final int MANY = 3_000;

    private final LatencyRecorder recorder = new RecorderPool(HIGHEST).forThisThread();
    private final InstanceHistogram[] instances = new InstanceHistogram[MANY];
    private final DeliveryAccount[] accounts = new DeliveryAccount[MANY];
    private final SingleWriterRecorder plain = new SingleWriterRecorder(HIGHEST, 3);
    private final SingleWriterRecorder plainService = new SingleWriterRecorder(HIGHEST, 3);
    private final SingleWriterRecorder plainSendDelay = new SingleWriterRecorder(HIGHEST, 3);
    private int turn;

    public RecordingBenchmark() {
        for (int i = 0; i < MANY; i++) {
            instances[i] = new InstanceHistogram(HIGHEST);
            accounts[i] = new DeliveryAccount();
        }
    }

    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(RecordingBenchmark.class.getSimpleName())
                        .build())
                .run();
    }

    private long value() {
        turn = (turn + 7_919) & 0xFFFF;
        return 2_000 + turn;
    }

    @Benchmark
    public long oneMessageOfOneInstance() {
        long nanos = value();
        recorder.recordSendDelay(nanos >>> 2);
        recorder.recordArrival(nanos, nanos - 100);
        instances[0].record(nanos);
        accounts[0].arrived(accounts[0].next());
        return nanos;
    }

    @Benchmark
    public long oneMessageOfManyInstances() {
        long nanos = value();
        int instance = turn % MANY;
        recorder.recordSendDelay(nanos >>> 2);
        recorder.recordArrival(nanos, nanos - 100);
        instances[instance].record(nanos);
        accounts[instance].arrived(accounts[instance].next());
        return nanos;
    }

    @Benchmark
    public long threeSingleWriterRecorders() {
        long nanos = value();
        plain.recordValue(nanos);
        plainService.recordValue(nanos - 100);
        plainSendDelay.recordValue(nanos >>> 2);
        return nanos;
    }

    @Benchmark
    public long clockReading() {
        return System.nanoTime();
    }
}
