package dev.baton.jmh;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.AeronTransport;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A hop through a stream of IPC: Baton's fragment for each batch against the reference's fragment for each message. */
public class AeronHop extends Hop implements FragmentHandler {
    private static final int HEADER = 5 * Long.BYTES;
    private static final int STREAM = 1;
    private static final int FRAGMENTS = 10;

    private final BufferClaim claim = new BufferClaim();
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication publication;
    private Subscription subscription;
    private long number;
    private long sum;

    /** Opens both, with terms of the same length; neither driver has a thread. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        AeronOptions options = AeronOptions.defaults();
        openBaton(AeronTransport.open(options));
        Path directory = Files.createTempDirectory(options.directory(), "baton-hop-");
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .ipcTermBufferLength(options.termLength())
                .termBufferSparseFile(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker()));
        subscription = aeron.addSubscription("aeron:ipc", STREAM);
        publication = aeron.addExclusivePublication("aeron:ipc", STREAM);
        while (!publication.isConnected() || !subscription.isConnected()) {
            turn();
        }
    }

    private void turn() {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
    }

    /** Claims committed and fragments polled, ten at a time, as Aeron's samples do. */
    @Override
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long reference() {
        for (int done = 0; done < MESSAGES; done += batch) {
            for (int i = 0; i < batch; i++) {
                write(++number);
            }
            for (int read = 0; read < batch; ) {
                read += subscription.poll(this, FRAGMENTS);
            }
        }
        return sum;
    }

    private void write(long value) {
        while (publication.tryClaim(HEADER + payload, claim) < 0) {
            turn(); // the driver gives the room free that was read
        }
        MutableDirectBuffer buffer = claim.buffer();
        int at = claim.offset();
        buffer.putLong(at, FIRST);
        for (int index = Long.BYTES; index < HEADER + payload; index += Long.BYTES) {
            buffer.putLong(at + index, value);
        }
        claim.commit();
    }

    @Override
    public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        for (int index = 0; index < length; index += Long.BYTES) {
            sum += buffer.getLong(offset + index);
        }
    }

    @TearDown(Level.Iteration)
    public void close() {
        closeBaton();
        aeron.close();
        driver.close();
    }
}
