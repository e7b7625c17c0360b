package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on identity: a topic stores its identity, the writer of each frame, and the input that its frames answer. */
public abstract class IdentityTck extends TransportTck {
    /** Called by the test of a transport. */
    protected IdentityTck() {}

    @ParameterizedTest
    @EnumSource(Restart.class)
    void aTopicKeepsItsIdentity(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a");
        long identity = topic.reader().found().identity();
        assertThat(identity).isNotZero();
        restart(what);
        assertThat(probe(topic.name()).reader().found().identity()).isEqualTo(identity);
    }

    @Test
    void recreatedTopicHasAnotherIdentity() {
        TopicProbe topic = openTopic();
        TopicProbe other = openTopic();
        topic.write("a");
        long identity = topic.reader().found().identity();
        assertThat(other.reader().found().identity())
                .as("identity of another topic")
                .isNotEqualTo(identity);
        closeConnections();
        transport().deleteTopics(List.of(topic.name()));
        transport().createTopics(List.of(topic.name()));
        Connection again = connect();
        assertThat(again.openReader(topic.name(), TopicProbe.CONSUMER).found().identity())
                .as("identity of the topic that was created again")
                .isNotEqualTo(identity);
        TopicWriter writer = again.openWriter(topic.name());
        assertThat(writer.sequence()).isZero();
        assertThat(writer.found().input()).isEqualTo(InputRef.UNKNOWN);
        assertThat(writer.found().writer()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void incarnationsRiseFromTheNewestFramesWriter(Restart what) {
        TopicProbe topic = openTopic();
        Incarnation first = incarnationOf(topic);
        assertThat(first.isOfThisBoot()).isTrue();
        topic.write("a");
        restart(what);

        TopicProbe again = probe(topic.name());
        Incarnation second = incarnationOf(again);
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(Incarnation.count(second.id())).isGreaterThan(Incarnation.count(first.id()));
        assertThat(again.writer().found().writer()).isEqualTo(first);
        restart(what);

        TopicProbe third = probe(topic.name());
        assertThat(incarnationOf(third).id())
                .as("the count includes the writer without frames")
                .isGreaterThan(second.id());
        assertThat(third.writer().found().writer()).as("wrote the newest frame").isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void aReaderTellsWhoWroteEachFrame(Restart what) {
        TopicProbe topic = openTopic();
        Incarnation first = topic.writer().incarnation();
        topic.write("a", "b");
        restart(what);
        TopicProbe again = probe(topic.name());
        Incarnation second = again.writer().incarnation();
        again.write("c");

        TopicReader reader = again.reader();
        assertThat(reader.writer()).isNull();
        Incarnation[] writers = new Incarnation[3];
        List<Incarnation> told = new ArrayList<>();
        FrameHandler handler = new FrameHandler() {
            @Override
            public Verdict onFrame(Frame frame, long position) {
                return Verdict.DONE;
            }

            @Override
            public void onWriter(Incarnation writer) {
                told.add(writer);
            }
        };
        for (int i = 0; i < 3; i++) {
            turns().until(
                            "a frame",
                            "every consumer gets each flushed frame (TopicReader.poll)",
                            () -> reader.poll(handler, 1) > 0);
            writers[i] = reader.writer();
        }
        assertThat(told).as("the reported writers, each once").containsExactly(first, second);
        assertThat(writers).containsExactly(first, first, second);
        assertThat(writers[0]).isSameAs(writers[1]);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void readerAtAnyPositionReportsTheWriter(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        Incarnation first = topic.writer().incarnation();
        topic.take(1);
        restart(what);
        TopicProbe again = probe(topic.name());
        again.read(1);
        assertThat(again.reader().writer()).isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void inputOfTheNewestFrameIsStored(Restart what) {
        TopicProbe topic = openTopic();
        topic.writer().answers(new InputRef(11, 21));
        topic.commit(new byte[1], 0, 0, 5, 50, 60);
        topic.writer().answers(new InputRef(12, 22));
        topic.commit(new byte[1], 0, 0, ~6, 70, 80);
        topic.writer().flush();
        topic.writer().answers(new InputRef(13, 23)); // and nothing after it
        restart(what);

        TopicWriter again = probe(topic.name()).writer();
        assertThat(again.found().input()).isEqualTo(new InputRef(12, 22));
        assertThat(again.found().cause()).isEqualTo(~6);
        assertThat(again.found().originNanos()).isEqualTo(70);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void newestFrameHasTheOutputsOfATick(Restart what) {
        TopicProbe topic = openTopic();
        assertThat(topic.writer().found().field(Extension.TICK)).isNull();
        byte[] tick = new byte[Extension.TICK_BYTES];
        tick[12] = 3;
        Frame claim = topic.claim(64);
        int before = claim.extensionBytes();
        claim.putFieldBytes(claim.addField(Extension.TICK, tick.length), tick, 0, tick.length);
        claim.stamp(1, 0, ~7L, 0, 0);
        topic.writer().commit(1 + claim.extensionBytes() - before);
        topic.writer().flush();
        topic.awaitStored();
        restart(what);
        assertThat(probe(topic.name()).writer().found().field(Extension.TICK)).isEqualTo(tick);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void newestFrameHasThePositionsOfAMerge(Restart what) {
        TopicProbe topic = openTopic();
        assertThat(topic.writer().found().field(Extension.MERGED)).isNull();
        byte[][] progress = {{0, 1, 2}, {1, 3, 4, 5, 6, 7, 8, 9, 10}};
        for (byte[] each : progress) {
            Frame claim = topic.claim(64);
            int before = claim.extensionBytes();
            claim.putFieldBytes(claim.addField(Extension.MERGED, each.length), each, 0, each.length);
            claim.stamp(1, 0, 7, 0, 0);
            topic.writer().commit(1 + claim.extensionBytes() - before);
        }
        topic.writer().flush();
        topic.awaitStored();
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().found().field(Extension.MERGED)).isEqualTo(progress[1]);
        again.write("a frame without");
        again.awaitStored();
        assertThat(again.writer().found().field(Extension.MERGED))
                .as("stays what was found")
                .isEqualTo(progress[1]);
        restart(what);
        assertThat(probe(topic.name()).writer().found().field(Extension.MERGED))
                .as("of a frame without the field")
                .isNull();
    }

    @Test
    void inputOfRewoundFramesIsNotStored() {
        TopicProbe topic = openTopic();
        topic.writer().answers(new InputRef(11, 21));
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().flush();
        topic.writer().answers(new InputRef(12, 22));
        topic.commit(new byte[1], 0, 0, 6, 0, 0);
        topic.writer().rewind(1);
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).writer().found().input()).isEqualTo(new InputRef(11, 21));
    }

    @Test
    void inputOfFramesAfterARewindIsStored() {
        TopicProbe topic = openTopic();
        for (int input = 1; input <= 4; input++) {
            topic.writer().answers(new InputRef(input, 20 + input));
            topic.commit(new byte[1], 0, 0, 5, 0, 0);
            if (input < 4) {
                topic.writer().rewind(0);
            }
        }
        topic.writer().flush();
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).writer().found().input()).isEqualTo(new InputRef(4, 24));
    }

    @Test
    void newestInputHoldsForFramesAfterARewind() {
        TopicProbe topic = openTopic();
        for (int input = 1; input <= 3; input++) {
            topic.writer().answers(new InputRef(input, 20 + input));
            topic.commit(new byte[1], 0, 0, 5, 0, 0);
        }
        topic.writer().rewind(0); // to before the frames of earlier inputs
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().flush();
        topic.awaitStored();
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).writer().found().input())
                .as("the input that was set last, of a frame in place of one that answered an earlier input")
                .isEqualTo(new InputRef(3, 23));
    }

    @Test
    void inputSetAgainHoldsAfterARewind() {
        TopicProbe topic = openTopic();
        topic.writer().answers(new InputRef(11, 21));
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().answers(new InputRef(12, 22));
        topic.commit(new byte[1], 0, 0, 6, 0, 0);
        topic.writer().rewind(0);
        topic.writer().answers(new InputRef(11, 21));
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().flush();
        topic.awaitStored();
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).writer().found().input())
                .as("the input that was set last, of a frame in place of one that answered another input")
                .isEqualTo(new InputRef(11, 21));
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void writerOfAnotherTopologyIsRefused(Restart what) {
        TopicProbe topic = newTopic();
        TopicWriter writer = connection().openWriter(topic.name(), "validate > price");
        new TopicProbe(topic.name(), connection(), turns());
        assertThat(writer.incarnation()).as("incarnation of a writer").isNotNull();
        assertThat(writer.incarnation().topology()).isEqualTo("validate > price");
        restart(what);

        Connection connection = connection();
        assertThatThrownBy(
                        () -> connection.openWriter(topic.name(), "validate > enrich > price"),
                        "the writer of another chain")
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(topic.name())
                .hasMessageContaining("it was validate > price, it is validate > enrich > price");
        connection.openWriter(topic.name(), "validate > price").close();
    }

    @Test
    void anInputCountsFromItsFirstFrameOn() {
        TopicProbe topic = openTopic();
        topic.writer().answers(new InputRef(11, 21));
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().answers(new InputRef(12, 22));
        topic.commit(new byte[1], 0, 0, 6, 0, 0);
        topic.writer().rewind(1); // the first frame of the batch stays
        topic.writer().flush();
        topic.awaitStored();
        restart(Restart.CONNECTION);

        assertThat(probe(topic.name()).writer().found().input())
                .as("the input of a frame before that of which the input changed, in one batch")
                .isEqualTo(new InputRef(11, 21));
    }

    @Test
    void anInputHoldsForTheFlushesThatFollow() {
        TopicProbe topic = openTopic();
        topic.writer().answers(new InputRef(11, 21));
        for (int cause = 1; cause <= 3; cause++) {
            topic.commit(new byte[1], 0, 0, cause, 0, 0);
            topic.writer().flush();
        }
        topic.awaitStored();
        restart(Restart.CONNECTION);

        TopicWriter again = probe(topic.name()).writer();
        assertThat(again.found().input()).as("the input of the third flush").isEqualTo(new InputRef(11, 21));
        assertThat(again.found().cause()).isEqualTo(3);
    }

    private static Incarnation incarnationOf(TopicProbe topic) {
        assertThat(topic.writer().incarnation()).as("incarnation of a writer").isNotNull();
        return topic.writer().incarnation();
    }

    @Test
    void readerReportsTheNewestSequenceAtOpen() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.awaitStored();
        long newest = connect().openReader(topic.name(), "another").found().newest();
        assertThat(newest).isIn(2L, TopicReader.UNKNOWN);
    }
}
