package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Images of a real ext4 file system on a loop device, each copied while the writer is suspended: they have what a power failure
 * would leave. Needs root and loop devices.
 */
@Tag("soak")
class Ext4ImageTest {
    private static final ChronicleOptions HOST = Topic.SMALL.with(ChronicleOptions.DURABILITY, Durability.HOST);
    private static final int IMAGES = 20;
    private static final long BYTES = 64L << 20;
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Path disk = directory.path().resolve("disk");
    private final Path copy = directory.path().resolve("copy");

    @BeforeEach
    void mount() throws IOException {
        for (Path image : List.of(disk, copy)) {
            Files.createDirectory(mounted(image));
        }
        try (FileChannel made = FileChannel.open(disk, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            made.write(ByteBuffer.allocate(1), BYTES - 1);
        }
        String refusal = Files.notExists(Path.of("/dev/loop-control"))
                ? "there is no /dev/loop-control"
                : run("mkfs.ext4", "-q", "-F", disk.toString());
        refusal = refusal == null
                ? run("mount", "-o", "loop", disk.toString(), mounted(disk).toString())
                : refusal;
        if (refusal != null) {
            System.err.println("SKIPPED, no loop device with ext4 (" + refusal + "): real images are not tested");
            Assumptions.abort("no loop device: " + refusal);
        }
    }

    @AfterEach
    void unmount() {
        for (Path image : List.of(copy, disk)) {
            run("umount", mounted(image).toString());
        }
        directory.close();
    }

    private static Path mounted(Path image) {
        return image.resolveSibling(image.getFileName() + "-mounted");
    }

    /** Runs a command, and returns why it failed; null if it did not. */
    private static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.onExit().join().exitValue() == 0 ? null : said.strip();
        } catch (IOException none) {
            return none.getMessage();
        }
    }

    @Test
    void acknowledgedFramesAreInEachImage() throws IOException {
        Random random = new Random(7);
        Path counter = directory.path().resolve("counter");
        Path topics = mounted(disk).resolve("topics");
        for (int image = 0; image < IMAGES; image++) {
            long confirmed;
            try (QueueProcess writer = QueueProcess.start(Writing.class, topics.toString(), counter.toString())) {
                await(writer, counter, acknowledged(counter) + 1 + random.nextInt(1_000));
                confirmed = suspendAndCopy(writer, counter);
            } // and killed: a topic with a living writer is refused
            assertThat(run("mount", "-o", "loop", copy.toString(), mounted(copy).toString()))
                    .isNull();
            try (QueueProcess examiner = QueueProcess.start(
                    Examining.class, mounted(copy).resolve("topics").toString())) {
                String found = examiner.line();
                assertThat(found).as("image " + image).matches("whole \\d+");
                assertThat(Long.parseLong(found.substring(6)))
                        .as("image " + image)
                        .isGreaterThanOrEqualTo(confirmed);
            }
            assertThat(run("umount", mounted(copy).toString())).isNull();
        }
    }

    private static void await(QueueProcess writer, Path counter, long number) throws IOException {
        long begun = System.nanoTime();
        while (acknowledged(counter) < number) {
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                throw new AssertionError("the writer has had " + acknowledged(counter) + " frames acknowledged, not "
                        + number + "; it prints " + writer.line());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static long acknowledged(Path counter) throws IOException {
        byte[] number = Files.exists(counter) ? Files.readAllBytes(counter) : new byte[0];
        return number.length < Long.BYTES ? 0 : ByteBuffer.wrap(number).getLong();
    }

    /** Copies the image until it did not change meanwhile, as the journal is written by the kernel. */
    private long suspendAndCopy(QueueProcess writer, Path counter) throws IOException {
        String pid = Long.toString(writer.pid());
        assertThat(run("kill", "-STOP", pid)).isNull();
        long confirmed = acknowledged(counter);
        do {
            Files.copy(disk, copy, StandardCopyOption.REPLACE_EXISTING);
        } while (Files.mismatch(disk, copy) >= 0);
        return confirmed;
    }

    private static String text(long number) {
        return number + ":" + "x".repeat((int) (number * 31 % 997));
    }

    /** A process that writes until it is killed, and notes what was acknowledged. */
    public static final class Writing {
        private Writing() {}

        public static void main(String[] arguments) throws IOException {
            Random random = new Random(1);
            try (Topic topic = Topic.in(Path.of(arguments[0]), HOST);
                    FileChannel counter = FileChannel.open(
                            Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                TopicWriter writer = topic.writer();
                ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
                while (true) {
                    String[] texts = new String[1 + random.nextInt(20)];
                    for (int i = 0; i < texts.length; i++) {
                        texts[i] = text(writer.sequence() + 1 + i);
                    }
                    Topic.write(writer, texts);
                    counter.write(number.putLong(0, writer.storedSequence()).rewind(), 0);
                }
            }
        }
    }

    /** A process that reads an image, which stays busy as long as it lives, and prints what it has found. */
    public static final class Examining {
        private Examining() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]), HOST)) {
                TopicReader reader = topic.reader();
                long left = topic.writer().sequence();
                List<String> texts = Topic.poll(reader, Integer.MAX_VALUE);
                for (int i = 0; i < texts.size(); i++) {
                    if (!texts.get(i).equals(text(i + 1))) {
                        System.out.println("frame " + (i + 1) + " is altered");
                    }
                }
                System.out.println(texts.size() == left ? "whole " + left : texts.size() + " of " + left);
            } catch (RuntimeException refused) {
                System.out.println(refused.toString().replace('\n', ' '));
            }
        }
    }
}
