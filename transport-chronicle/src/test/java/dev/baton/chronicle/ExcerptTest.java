package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How frames lie in excerpts. */
class ExcerptTest {
    /** Two frames, "ab" and "", as release 0.1 wrote them. Never to be changed: files with it exist. */
    private static final String STORED_BY_0_1 = """
            42544e01 02000000 0100000000000000 70000000 02000000
            01000700 09000000 0100000000000000 0300000000000000 0400000000000000 0500000000000000 6162
            0000 00000000
            01000700 09000000 0200000000000000 0300000000000000 0400000000000000 0500000000000000
            """.replaceAll("\\s", "");

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void theLayoutIsThatOfTheFirstRelease() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            for (byte[] payload : new byte[][] {{'a', 'b'}, {}}) {
                Frame frame = writer.claim(payload.length);
                frame.putBytes(0, payload, 0, payload.length);
                frame.stamp(7, 9, 3, 4, 5);
                writer.commit(payload.length);
            }
            writer.flush();
        }
        List<String> excerpts = rawExcerpts();
        assertThat(excerpts).hasSize(1);
        // what lies between two frames is not defined
        assertThat(withoutPadding(excerpts.get(0))).isEqualTo(withoutPadding(STORED_BY_0_1));
    }

    @Test
    void aFlushIsOneExcerpt() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a", "b", "c");
            Topic.write(writer, "d");
        }
        assertThat(rawExcerpts()).hasSize(2);
    }

    @Test
    void batchesLargerThanABlockAreSeveralExcerpts() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            String[] texts = new String[8];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = Integer.toString(i).repeat(20_000);
            }
            Topic.write(writer, texts);
            assertThat(writer.storedSequence()).isEqualTo(texts.length);
            assertThat(Topic.poll(topic.reader(), 100)).containsExactly(texts);
        }
        assertThat(rawExcerpts()).hasSize(3);
    }

    @Test
    void rewindReachesBackOverExcerpts() {
        for (int kept = 0; kept <= 8; kept++) {
            try (Topic topic = Topic.in(directory.path())) {
                TopicReader reader = topic.reader();
                TopicWriter writer = topic.writer();
                long before = writer.sequence();
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    String text = Integer.toString(i).repeat(20_000);
                    Topic.commit(writer, text);
                    if (i < kept) {
                        expected.add(text);
                    }
                }
                writer.rewind(before + kept);
                Topic.write(writer, "after");
                expected.add("after");
                assertThat(Topic.poll(reader, 100)).isEqualTo(expected);
                reader.acknowledge(writer.sequence());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64 << 10, 256 << 10, 1 << 20})
    void framesOfAllSizesSurviveAcrossBlocks(int blockSize) {
        Random random = new Random(20_261_121);
        ChronicleOptions options = ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, blockSize);
        try (Topic topic = Topic.in(directory.path(), options)) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            int longest = topic.transport.maxPayload();
            List<Integer> lengths = new ArrayList<>();
            int checked = 0;
            for (int round = 0; round < 400; round++) {
                int frames = 1 + random.nextInt(4);
                for (int i = 0; i < frames; i++) {
                    int length = (int) (longest * Math.pow(random.nextDouble(), 4));
                    lengths.add(round % 50 == 0 ? longest - i % 2 : length);
                    fill(writer, lengths.get(lengths.size() - 1));
                }
                writer.flush();
                checked += check(reader, lengths, 1 + random.nextInt(6));
            }
            while (checked < lengths.size()) {
                checked += check(reader, lengths, 7);
            }
            assertThat(check(reader, lengths, 1)).isZero();
        }
    }

    private static void fill(TopicWriter writer, int length) {
        Frame frame = writer.claim(length);
        long sequence = writer.sequence() + 1;
        for (int at = 0; at + Long.BYTES <= length; at += Long.BYTES) {
            frame.putLong(at, sequence * 31 + at);
        }
        frame.stamp(0, 0, 0, 0, 0);
        writer.commit(length);
    }

    private static int check(TopicReader reader, List<Integer> lengths, int limit) {
        return reader.poll(
                (frame, position) -> {
                    assertThat(frame.length()).isEqualTo(lengths.get((int) position - 1));
                    for (int at = 0; at + Long.BYTES <= frame.length(); at += Long.BYTES) {
                        if (frame.getLong(at) != position * 31 + at) {
                            throw new AssertionError("frame " + position + " differs at " + at);
                        }
                    }
                    return Verdict.DONE;
                },
                limit);
    }

    private List<String> rawExcerpts() {
        List<String> found = new ArrayList<>();
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                ExcerptTailer tailer = queue.createTailer()) {
            Bytes<?> bytes = Bytes.allocateElasticOnHeap();
            while (tailer.readBytes(bytes)) {
                found.add(HexFormat.of().formatHex(bytes.toByteArray()));
                bytes.clear();
            }
        }
        return found;
    }

    private static String withoutPadding(String hex) {
        int firstEnd = 2 * (24 + 40 + 2);
        int secondLength = 2 * (72 - 4);
        return hex.substring(0, firstEnd) + hex.substring(secondLength);
    }
}
