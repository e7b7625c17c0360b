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
public class AeronHop extends TopicHop implements FragmentHandler {
    private static final int HEADER = 5 * Long.BYTES;
    private static final int STREAM = 1;
    private static final int FRAGMENTS = 10;
    private static final int SHARED_TERM = 16 << 20; // so that few claims wait for the driver's thread

    private final boolean isShared; // Baton's topics are in the driver of the reference, as between processes
    private final BufferClaim claim = new BufferClaim();
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication publication;
    private Subscription subscription;
    private final FragmentHandler batches = this::onBatch;
    private long number;
    private long received; // of the messages that were sent in batches
    private long sum;

    public AeronHop() {
        this(false);
    }

    AeronHop(boolean isShared) {
        this.isShared = isShared;
    }

    /** Opens both, with terms of equal length; a driver has a thread only if it is shared. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        AeronOptions defaults = AeronOptions.defaults();
        AeronOptions options = isShared ? defaults.with(AeronOptions.TERM_LENGTH, SHARED_TERM) : defaults;
        Path directory = Files.createTempDirectory(options.get(AeronOptions.DIRECTORY), "baton-hop-");
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(isShared ? ThreadingMode.SHARED : ThreadingMode.INVOKER)
                .ipcTermBufferLength(options.get(AeronOptions.TERM_LENGTH))
                .termBufferSparseFile(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
        openBaton(AeronTransport.open(isShared ? options.with(AeronOptions.DRIVER, directory) : options));
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
        if (!isShared) {
            driver.sharedAgentInvoker().invoke();
        }
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
        claim(HEADER + payload);
        fill(claim.buffer(), claim.offset(), value);
        claim.commit();
    }

    private void claim(int length) {
        while (publication.tryClaim(length, claim) < 0) {
            turn(); // the driver frees the room that was read
        }
    }

    private void fill(MutableDirectBuffer buffer, int at, long value) {
        buffer.putLong(at, FIRST);
        for (int index = Long.BYTES; index < HEADER + payload; index += Long.BYTES) {
            buffer.putLong(at + index, value);
        }
    }

    /** Claims as many messages for one fragment as fit, and polls them. Eight bytes before each message contain its length. */
    @Override
    public long cooperative() {
        int message = HEADER + payload;
        int place = Long.BYTES + message;
        int most = Math.max(1, publication.maxPayloadLength() / place);
        for (int done = 0; done < MESSAGES; done += batch) {
            for (int begun = 0; begun < batch; ) {
                int count = Math.min(most, batch - begun);
                claim(count * place);
                MutableDirectBuffer buffer = claim.buffer();
                int at = claim.offset();
                for (int i = 0; i < count; i++, at += place) {
                    buffer.putLong(at, message);
                    fill(buffer, at + Long.BYTES, ++number);
                }
                claim.commit();
                begun += count;
            }
            for (long last = received + batch; received < last; ) {
                subscription.poll(batches, FRAGMENTS);
            }
        }
        return sum;
    }

    private void onBatch(DirectBuffer buffer, int offset, int length, Header header) {
        for (int at = offset, end = offset + length; at < end; received++) {
            int message = (int) buffer.getLong(at);
            at += Long.BYTES;
            onFragment(buffer, at, message, header);
            at += message;
        }
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
