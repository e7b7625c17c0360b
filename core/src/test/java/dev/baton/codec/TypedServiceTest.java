package dev.baton.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.fixtures.HostileTransports;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypedServiceTest {
    private static final class Price {
        long cents;
    }

    private enum PriceCodec implements Codec<Price> {
        INSTANCE;

        @Override
        public Price newInstance() {
            return new Price();
        }

        @Override
        public int maxLength(Price value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Price value, Claim into) {
            into.putLong(0, value.cents);
            return Long.BYTES;
        }

        @Override
        public void decode(Message from, Price into) {
            into.cents = from.getLong(0);
        }

        @Override
        public int type() {
            return 7;
        }
    }

    @Test
    void declinedObjectsAreDropped() {
        List<String> out = new ArrayList<>();
        Chain chain = Chain.named("prices")
                .then("double", TypedService.of(PriceCodec.INSTANCE, PriceCodec.INSTANCE, (in, doubled) -> {
                    doubled.cents = in.cents * 2;
                    return in.cents > 1;
                }))
                .build();
        Price price = new Price();
        try (Transport transport = HostileTransports.kind();
                Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> out.add(in.type() + ":" + in.getLong(0)))
                        .start()) {
            for (price.cents = 1; price.cents <= 3; price.cents++) {
                running.inlet().send(price, PriceCodec.INSTANCE);
            }
        }
        assertThat(out).containsExactly("7:4", "7:6");
    }
}
