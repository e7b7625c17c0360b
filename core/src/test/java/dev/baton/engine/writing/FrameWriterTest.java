package dev.baton.engine.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Environment;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
    private static final int LONGEST = 500;
    private static final int DATED_AND_CHECKED = Extension.bytes(Extension.WALL_CLOCK_BYTES) + Frame.CHECKSUM_BYTES;

    private final HostileTransport transport = new HostileTransport();

    @BeforeEach
    void createTopic() {
        transport.createTopics(List.of("t"));
    }

    @Test
    void allFieldsAreInOneFrame() {
        WriterOutlet outlet = outlet(true, true, open());
        send(outlet, key(17), trace(5));

        Frame frame = transport.frames("t").get(0);
        assertThat(keyAndPayload(frame)).containsExactly(17, 77);
        assertThat(frame.field(Extension.WALL_CLOCK)).isNotEqualTo(Extension.NONE);
        assertThat(frame.memory().get(frame.fieldOffset(frame.field(Extension.TRACE), 1)))
                .isEqualTo((byte) 5);
    }

    @Test
    void plainOutletWritesPlainMessagesAfterKeyedOnes() {
        WriterOutlet outlet = outlet(false, false, open());
        send(outlet, key(17), null);
        send(outlet, null, null);
        outlet.claim(8, key(18)).abort();
        send(outlet, null, null);

        List<Frame> frames = transport.frames("t");
        assertThat(frames.get(0).flags()).isEqualTo(Frame.EXTENDED);
        assertThat(frames.get(1).isPlain()).isTrue();
        assertThat(frames.get(2).isPlain()).isTrue();
        assertThat(frames.get(2).length()).isEqualTo(8);
    }

    @Test
    void transportsOwnExtensionIsCountedByTransport() {
        WriterOutlet outlet = outlet(true, false, namingItself(open()));
        send(outlet, key(17), null);
        send(outlet, null, null);

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
    void fieldsReduceTheLongestPayload() {
        WriterOutlet outlet = outlet(true, true, open());
        int longest = LONGEST - DATED_AND_CHECKED;

        assertThatThrownBy(() -> outlet.claim(longest + 1))
                .hasMessage("claim of " + (longest + 1) + " bytes; 0 to " + longest
                        + " are allowed, as the fields and the checksum of the frame take " + DATED_AND_CHECKED);
        assertThatThrownBy(() -> outlet.claim(-1)).hasMessageContaining("claim of -1 bytes");
        outlet.claim(longest).commit(longest);
    }

    @Test
    void anotherSequenceThanExpectedIsAnError() {
        TopicWriter writer = open();
        TopicWriter skipping = (TopicWriter) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TopicWriter.class},
                (proxy, method, given) -> method.getName().equals("commit")
                        ? writer.commit((int) given[0]) + 1
                        : method.invoke(writer, given));
        Claim claim = outlet(true, false, skipping).claim(8);

        assertThatThrownBy(() -> claim.commit(8)).hasMessageContaining("assigned sequence 2 to a frame instead of 1");
    }

    private TopicWriter open() {
        return transport.connect().openWriter("t");
    }

    private static WriterOutlet outlet(boolean isChecked, boolean isDated, TopicWriter writer) {
        WriterFactory writers = new WriterFactory(isChecked, isDated, false, LONGEST, "");
        WriterOutlet outlet =
                new WriterOutlet(writers.ofSource(writer, Environment.system()), 0, Environment.system(), null);
        outlet.beginSource();
        return outlet;
    }

    private static void send(WriterOutlet outlet, ByteBuffer key, ByteBuffer trace) {
        outlet.claim(20, new MessageFields().key(key).trace(trace))
                .putLong(0, 77)
                .commit(8);
        outlet.writer().flush();
    }

    private static ByteBuffer key(long key) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, key);
    }

    private static ByteBuffer trace(int first) {
        return ByteBuffer.allocate(Extension.TRACE_BYTES).put(0, (byte) first);
    }

    private static long[] keyAndPayload(Frame frame) {
        assertThat(frame.flags()).isEqualTo(Frame.CHECKED | Frame.EXTENDED);
        assertThat(frame.validate()).isNull();
        assertThat(frame.length()).isEqualTo(8);
        return new long[] {frame.getFieldLong(frame.field(Extension.KEY)), frame.getLong(0)};
    }

    /** Returns a writer that adds a field of its own to every frame, as some transports do. */
    private static TopicWriter namingItself(TopicWriter transport) {
        int[] own = new int[1];
        return (TopicWriter) Proxy.newProxyInstance(
                FrameWriterTest.class.getClassLoader(), new Class<?>[] {TopicWriter.class}, (proxy, method, given) -> {
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
