package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Openings in a process that has no memory outside its heap any more, and later has some again. */
@Tag("slow")
class ArchiveMemoryTest {
    /** Enough for a stored position, but neither for a checkpoint nor for a fragment of the live log. */
    private static final int LITTLE = 128;

    private static final int LARGE = 1 << 20;
    private static final int SMALLER = 16; // the next buffers, as each refusal takes half a second

    @ParameterizedTest
    @ValueSource(ints = {0, LITTLE})
    void openingsWithoutMemoryLeaveNothingOpen(int left) throws Exception {
        String topic = "memory-" + left;
        String driver = TestArchive.options().get(ArchiveOptions.DRIVER).toString();
        try (ArchiveTopic created = ArchiveTopic.in(TestArchive.options(), topic);
                AeronJvm process =
                        AeronJvm.start(ArchiveMemoryTest.class, driver, created.name, Integer.toString(left))) {
            assertThat(process.line()).contains("direct buffer memory");
            assertThat(process.line()).contains("direct buffer memory");
            assertThat(process.line()).isEqualTo("opened");
            assertThat(process.exitCode()).isZero();
        }
    }

    /** Prints the failures without memory, and that a writer and a reader open with memory. */
    public static void main(String[] arguments) {
        ArchiveOptions options = ArchiveOptions.defaults().with(ArchiveOptions.DRIVER, Path.of(arguments[0]));
        try (ArchiveTransport transport = ArchiveTransport.open(options);
                Connection connection = transport.connect()) {
            Supplier<AutoCloseable> writer = () -> connection.openWriter(arguments[1]);
            Supplier<AutoCloseable> reader = () -> connection.openReader(arguments[1], "c");
            connection.openWriter(arguments[1]).close(); // which loads the classes
            connection.openReader(arguments[1], "c").close();
            List<ByteBuffer> taken = take(Integer.parseInt(arguments[2]));
            fail(writer);
            fail(reader);
            taken.forEach(BufferUtil::free);
            writer.get();
            reader.get();
            System.out.println("opened");
        }
    }

    private static void fail(Supplier<AutoCloseable> opening) {
        try {
            opening.get();
        } catch (OutOfMemoryError refused) {
            System.out.println(refused.getMessage().toLowerCase(Locale.ROOT));
        }
    }

    /** Takes all memory outside the heap but for so many bytes. */
    private static List<ByteBuffer> take(int left) {
        List<ByteBuffer> taken = new ArrayList<>();
        ByteBuffer kept = ByteBuffer.allocateDirect(left);
        for (int bytes = LARGE; bytes > 0; bytes /= SMALLER) {
            try {
                while (true) {
                    taken.add(ByteBuffer.allocateDirect(bytes));
                }
            } catch (OutOfMemoryError full) {
                // for so many at once
            }
        }
        BufferUtil.free(kept);
        return taken;
    }
}
