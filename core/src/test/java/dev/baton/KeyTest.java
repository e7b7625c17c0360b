package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.SharedInlet.Offer;
import dev.baton.codec.RoutingService;
import dev.baton.codec.TypedService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The key of a message: given on demand, carried by its frame alone, and never in the way of the payload. */
class KeyTest {
    private static final ValueCodec<String> TEXT = ValueCodec.strings(0);
    private static final ByteBuffer KEY = ByteBuffer.wrap("xxaccount-17".getBytes(StandardCharsets.UTF_8), 2, 10);

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<String> received = new ArrayList<>();
    private RunningChain running;

    @AfterEach
    void close() {
        running.close();
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void keyLengthensFrameByItsExtension() {
        start((in, out) -> out.forward(in));
        running.inlet().send(new byte[8]);
        Claim claim =
                running.inlet().tryClaim(8, new MessageFields().originNanos(1).key(KEY));
        assertThat(claim.maxLength()).isEqualTo(8);
        claim.commit(8);
        List<Frame> frames = transport.frames("c-0");
        assertThat(frames.get(0).flags()).isZero();
        assertThat(frames.get(0).length()).isEqualTo(8);
        assertThat(frames.get(1).length()).isEqualTo(8 + 16);
        assertThat(KEY.position()).isEqualTo(2);
    }

    @Test
    void forwardKeepsTheKey() {
        assertKeys((in, out) -> out.forward(in), "account-17", "null");
    }

    @Test
    void forwardTakesAnotherKeyOrNone() {
        assertKeys((in, out) -> out.forward(in, ByteBuffer.wrap(new byte[] {'x'})), "x", "x");
        assertKeys((in, out) -> out.forward(in, null), "null", "null");
    }

    @Test
    void sentValuesKeepTheKeyOfTheirInput() {
        assertKeys((in, out) -> out.send("1", TEXT), "account-17", "null");
    }

    @Test
    void sentValuesTakeAnotherKeyOrNone() {
        assertKeys((in, out) -> out.send("1", TEXT, ByteBuffer.wrap(new byte[] {'x'})), "x", "x");
        assertKeys((in, out) -> out.send("1", TEXT, null), "null", "null");
    }

    @Test
    void mappedValuesKeepTheKey() {
        assertKeys(TypedService.mapping(TEXT, TEXT, text -> text), "account-17", "null");
    }

    @Test
    void filledValuesKeepTheKey() {
        assertKeys(TypedService.of(TEXT, NumberCodec.INSTANCE, (text, out) -> true), "account-17", "null");
    }

    @Test
    void routedValuesKeepTheKey() {
        assertKeys(RoutingService.byType().on(TEXT, (text, out) -> out.send(text, TEXT)), "account-17", "null");
    }

    @Test
    void claimsHaveTheKeyThatTheyAreGiven() {
        assertKeys((in, out) -> out.claim(1).commit(1), "null", "null");
        assertKeys((in, out) -> out.claim(1, out.inputKey()).commit(1), "account-17", "null");
    }

    @Test
    void interceptedServicesKeepTheKey() {
        running = chain(() -> (in, out) -> out.forward(in))
                .around((context, next) -> (in, out) -> next.onMessage(in, out))
                .start();
        assertKeys("account-17", "null");
    }

    @Test
    void retriedInputsKeepTheKey() {
        int[] calls = {0};
        running = chain(() -> (in, out) -> {
                    out.send("1", TEXT);
                    if (calls[0]++ == 0) {
                        throw new IllegalStateException("once");
                    }
                })
                .onError(ErrorPolicy.retry(1).perKey())
                .start();
        assertKeys("null", "account-17");
    }

    @Test
    void toolsDecodeStoredMessagesWithKeys() {
        start((in, out) -> {});
        running.inlet().send(7L, ValueCodec.longs(0), new MessageFields().key(KEY));
        loops.turn();

        assertThat(ValueCodec.longs(0)
                        .decodeStored("c-0", transport.frames("c-0").get(0)))
                .isEqualTo(7L);
    }

    @Test
    void ticksHaveNoKeyOfAnInput() {
        List<String> keys = new ArrayList<>();
        start(new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {
                keys.add(text(out.inputKey()));
            }

            @Override
            public int onTick(Outlet out) {
                keys.add(text(out.inputKey()));
                return 0;
            }
        });
        running.inlet().tryClaim(1, new MessageFields().originNanos(1).key(KEY)).commit(1);
        loops.turn();
        assertThat(keys).containsOnlyOnce("account-17").contains("null");
    }

    private static String text(ByteBuffer key) {
        return String.valueOf(key == null ? null : StandardCharsets.UTF_8.decode(key));
    }

    private void assertKeys(Service service, String... keys) {
        assertKeys(() -> service, keys);
    }

    /** Runs a service over a message with a key and one without. */
    private void assertKeys(Supplier<? extends Service> service, String... keys) {
        if (running != null) {
            running.close();
            received.clear();
        }
        running = chain(service).start();
        assertKeys(keys);
    }

    private void assertKeys(String... keys) {
        running.inlet().tryClaim(1, new MessageFields().originNanos(1).key(KEY)).commit(1);
        running.inlet().tryClaim(1, new MessageFields().originNanos(1)).commit(1);
        for (int i = 0; i < 5; i++) {
            loops.turn();
        }
        assertThat(running.failure()).isEmpty();
        assertThat(received).extracting(each -> each.replaceFirst("\\d:", "")).containsExactly(keys);
    }

    @Test
    void callbackThatReturnsWithOpenKeyedClaimFails() {
        start((in, out) -> out.claim(1, KEY));
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(running.failure().orElseThrow()).hasMessageContaining("open claim");
    }

    @Test
    void keyedClaimIsCommittedOrAborted() {
        start((in, out) -> {});
        Inlet inlet = running.inlet();
        Claim claim = inlet.tryClaim(4, new MessageFields().originNanos(1).key(KEY));
        assertThatThrownBy(() -> claim.commit(5)).hasMessage("commit of 5 bytes; 0 to the claimed 4 are allowed");
        assertThatThrownBy(() -> claim.putByte(4, (byte) 1)).isInstanceOf(IndexOutOfBoundsException.class);
        claim.abort();
        assertThatThrownBy(() -> claim.commit(4)).hasMessageContaining("committed or aborted");
        assertThatThrownBy(() ->
                        inlet.tryClaim(-8, new MessageFields().originNanos(1).key(KEY)))
                .hasMessageStartingWith("claim of -8 bytes; 0 to ");
        assertThat(inlet.sequence()).isZero();
    }

    @Test
    void keyedClaimMayBeRefusedAsAnyOther() {
        start((in, out) -> {});
        transport.refusesEveryOtherClaim = true;
        assertThat(running.inlet()
                        .tryClaim(1, new MessageFields().originNanos(1).key(KEY)))
                .isNull();
        running.inlet().tryClaim(1, new MessageFields().originNanos(1).key(KEY)).commit(1);
        assertThat(transport.frames("c-0")).hasSize(1);
    }

    @Test
    void sharedInletCopiesKeysAndRefusesLongOnes() {
        start((in, out) -> out.forward(in, in.key()));
        SharedInlet inlet = running.sharedInlet(3);
        ByteBuffer key = ByteBuffer.allocate(1).put(0, (byte) 'a');
        MessageFields fields = new MessageFields().key(key);
        assertThat(inlet.offer("one", TEXT, fields)).isEqualTo(Offer.ACCEPTED);
        key.put(0, (byte) 'b');
        CompletableFuture<Long> stored = inlet.offerStored("second", TEXT, fields);
        inlet.offer("third one", TEXT);
        assertThatThrownBy(() -> inlet.offer("", TEXT, new MessageFields().key(ByteBuffer.allocate(256))))
                .hasMessage("a key of 256 bytes; 0 to 255 are allowed");
        String longest = "x".repeat(transport.maxPayload());
        assertThatThrownBy(() -> inlet.offerStored(longest, TEXT, fields))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the longest that this transport carries is 1024");
        for (int i = 0; i < 3; i++) {
            loops.turn();
        }
        assertThat(received).containsExactly("3:a", "6:b", "9:null");
        assertThat(stored).isCompletedWithValue(2L);
    }

    private enum NumberCodec implements Codec<int[]> {
        INSTANCE;

        @Override
        public int[] newInstance() {
            return new int[1];
        }

        @Override
        public int maxLength(int[] value) {
            return 1;
        }

        @Override
        public int encode(int[] value, Claim into) {
            into.putByte(0, (byte) value[0]);
            return 1;
        }

        @Override
        public void decode(Message from, int[] into) {
            into[0] = from.getByte(0);
        }
    }

    private void start(Service service) {
        running = chain(() -> service).start();
    }

    private Deployment chain(Supplier<? extends Service> service) {
        return Chain.named("c")
                .then("s1", service)
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(in -> received.add(
                        in.length() + ":" + (in.key() == null ? null : StandardCharsets.UTF_8.decode(in.key()))));
    }
}
