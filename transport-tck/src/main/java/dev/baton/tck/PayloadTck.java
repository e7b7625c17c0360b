package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicWriter;
import dev.baton.tck.Recorder.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The contract on payloads: any length up to the limit arrives unaltered. */
public abstract class PayloadTck extends TransportTck {
    private static final int FRAMES = 300;
    private static final int MOST_BYTES_OF_ALL = 16 << 20;

    /** Called by the test of a transport. */
    protected PayloadTck() {}

    @Test
    void anEmptyPayloadSurvives() {
        assertSurvives(0);
    }

    @Test
    void aPayloadOfOneByteSurvives() {
        assertSurvives(1);
    }

    @Test
    void payloadBelowTheLimitArrivesUnaltered() {
        assertSurvives(transport().maxPayload() - 1);
    }

    @Test
    void aPayloadAtTheLimitSurvives() {
        assertSurvives(transport().maxPayload());
    }

    @Test
    void aLongFrameBetweenShortOnesTouchesNeither() {
        TopicProbe topic = openTopic();
        byte[] longest = random(new Random(2), transport().maxPayload());
        topic.write("before");
        topic.commit(longest, 0, 0, 0, 0, 0);
        topic.writer().flush();
        topic.write("after");

        List<Received> read = topic.read(3).frames();
        assertThat(read.get(0).text()).isEqualTo("before");
        assertThat(read.get(1).payload()).isEqualTo(longest);
        assertThat(read.get(2).text()).isEqualTo("after");
    }

    @Test
    void aBatchOfTheLongestPayloadsSurvives() {
        TopicProbe topic = openTopic();
        Random random = new Random(3);
        int longest = transport().maxPayload();
        int frames =
                Math.max(1, Math.min(topic.writer().remainingCapacity(), Math.min(8, MOST_BYTES_OF_ALL / longest)));
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            sent.add(random(random, longest));
            topic.commit(sent.get(i), 0, 0, 0, 0, 0);
        }
        topic.writer().flush();

        List<Received> read = topic.read(frames).frames();
        for (int i = 0; i < frames; i++) {
            assertThat(read.get(i).payload())
                    .as("payload %d of a batch of %d of the longest", i + 1, frames)
                    .isEqualTo(sent.get(i));
        }
    }

    @Test
    void emptyPayloadsInABatchSurvive() {
        TopicProbe topic = openTopic();
        topic.write("a", "", "", "b", "");

        assertThat(topic.read(5).texts())
                .as("frames of a batch with empty payloads")
                .containsExactly("a", "", "", "b", "");
    }

    @Test
    void framesOfRandomLengthsSurviveInBatches() {
        Random random = new Random(42);
        int longest = Math.min(transport().maxPayload(), MOST_BYTES_OF_ALL / FRAMES);
        List<byte[]> sent = new ArrayList<>();
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        Recorder recorder = new Recorder();

        turns().until(FRAMES + " frames", "every flushed frame arrives, whatever its length (TopicReader.poll)", () -> {
            for (int i = random.nextInt(4); i > 0 && sent.size() < FRAMES && writer.remainingCapacity() > 0; i--) {
                byte[] payload = random(random, random.nextInt(longest + 1));
                topic.commit(payload, 0, 0, 0, 0, 0);
                sent.add(payload);
            }
            writer.flush();
            if (topic.reader().poll(recorder, 5) > 0) {
                topic.reader().acknowledge(recorder.lastPosition());
            }
            return recorder.count() == FRAMES;
        });

        for (int i = 0; i < FRAMES; i++) {
            assertThat(recorder.frames().get(i).payload()).as("frame %d", i + 1).isEqualTo(sent.get(i));
        }
    }

    private void assertSurvives(int length) {
        TopicProbe topic = openTopic();
        byte[] payload = random(new Random(length), length);
        topic.commit(payload, 0, 0, 0, 0, 0);
        topic.writer().flush();

        assertThat(topic.read(1).frames().get(0).payload()).isEqualTo(payload);
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
