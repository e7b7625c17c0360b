package dev.baton.engine.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedWriterTest {
    @Test
    void whatATransportOffersBesideFramesIsOfferedWithChecksumsToo() throws Exception {
        for (var method : TopicWriter.class.getMethods()) {
            if (!method.getName().equals("claim") && !method.getName().equals("commit")) {
                assertThat(CheckedWriter.class
                                .getMethod(method.getName(), method.getParameterTypes())
                                .getDeclaringClass())
                        .as("%s is not left to the interface's default", method)
                        .isNotEqualTo(TopicWriter.class);
            }
        }
    }

    @Test
    void anAnswerGoesToTheTransportTogetherWithItsInputs() {
        List<String> calls = new ArrayList<>();
        TopicWriter transport = (TopicWriter) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TopicWriter.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName() + Arrays.toString(arguments));
                    return method.getReturnType() == boolean.class ? true : null;
                });
        TopicReader answered = null;
        CheckedWriter writer = new CheckedWriter(transport, 100);
        writer.flush(answered, 7);

        assertThat(calls).containsExactly("flush[null, 7]");
    }

    @Test
    void anExtensionThatACallerAddsIsPartOfWhatItCommits() {
        HostileTransport transport = new HostileTransport();
        transport.createTopics(List.of("t"));
        CheckedWriter writer = new CheckedWriter(transport.connect().openWriter("t"), 500);
        sendWithKey(writer);

        assertThat(keyAndPayload(transport.frames("t").get(0))).containsExactly(17, 77);
    }

    @Test
    void anExtensionThatTheTransportAddsIsCountedByTheTransport() {
        HostileTransport transport = new HostileTransport();
        transport.createTopics(List.of("t"));
        TopicWriter naming = namingItself(transport.connect().openWriter("t"));
        CheckedWriter writer = new CheckedWriter(naming, 500);
        sendWithKey(writer);
        Frame plain = writer.claim(8);
        assertThat(plain.length()).isEqualTo(8);
        plain.putLong(0, 77);
        plain.stamp(1, 2, 3, 4, 5);
        writer.commit(8);
        writer.flush();

        Frame both = transport.frames("t").get(0);
        assertThat(keyAndPayload(both)).containsExactly(17, 77);
        assertThat(both.getFieldLong(both.field(Extension.WRITER))).isEqualTo(3);
        Frame alone = transport.frames("t").get(1);
        assertThat(alone.validate()).isNull();
        assertThat(alone.getLong(0)).isEqualTo(77);
        assertThat(alone.length()).isEqualTo(8);
        assertThat(alone.getFieldLong(alone.field(Extension.WRITER))).isEqualTo(3);
    }

    @Test
    void aCommitIsNeitherShorterThanItsExtensionNorLongerThanItsClaim() {
        HostileTransport transport = new HostileTransport();
        transport.createTopics(List.of("t"));
        CheckedWriter writer = new CheckedWriter(transport.connect().openWriter("t"), 500);
        Frame claim = writer.claim(24);
        claim.addField(Extension.WRITER, 8);
        assertThatThrownBy(() -> writer.commit(15)).hasMessageContaining("commit of 15 bytes, claimed were 24");
        assertThatThrownBy(() -> writer.commit(25)).hasMessageContaining("commit of 25 bytes, claimed were 24");
        claim.stamp(1, 2, 3, 4, 5);
        assertThat(writer.commit(16)).isEqualTo(1);
    }

    private static void sendWithKey(CheckedWriter writer) {
        Frame claim = writer.claim(20 + Extension.bytes(8));
        int before = claim.extensionBytes();
        claim.putFieldLong(claim.addField(Extension.KEY, 8), 17);
        assertThat(claim.length()).isGreaterThanOrEqualTo(20);
        claim.putLong(0, 77);
        claim.stamp(1, 2, 3, 4, 5);
        writer.commit(8 + claim.extensionBytes() - before);
        writer.flush();
    }

    private static long[] keyAndPayload(Frame frame) {
        assertThat(frame.flags()).isEqualTo(Frame.CHECKED | Frame.EXTENDED);
        assertThat(frame.validate()).isNull();
        assertThat(frame.length()).isEqualTo(8);
        return new long[] {frame.getFieldLong(frame.field(Extension.KEY)), frame.getLong(0)};
    }

    /** As a transport does that adds a field of its own to every frame. */
    private static TopicWriter namingItself(TopicWriter transport) {
        int[] own = new int[1];
        return (TopicWriter) Proxy.newProxyInstance(
                CheckedWriterTest.class.getClassLoader(),
                new Class<?>[] {TopicWriter.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("claim")) {
                        Frame frame = transport.claim((int) given[0] + Extension.bytes(Extension.WRITER_BYTES));
                        frame.putFieldLong(frame.addField(Extension.WRITER, Extension.WRITER_BYTES), 3);
                        own[0] = frame.extensionBytes();
                        return frame;
                    }
                    return method.getName().equals("commit")
                            ? transport.commit((int) given[0] + own[0])
                            : method.invoke(transport, given);
                });
    }
}
