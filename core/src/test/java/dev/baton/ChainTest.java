package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final Service PASS = (in, out) -> out.forward(in);

    @Test
    void topicsBearTheChainsNameAndAnInstanceNumberWhereThereAreSeveral() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        assertThat(chain.hops()).isEqualTo(2);
        assertThat(chain.topic(0, 0)).isEqualTo("orders-0");
        assertThat(chain.topic(7, 1)).isEqualTo("orders-7-1");
    }

    @Test
    void aNameThatNoTransportCouldCarryIsRefusedWithTheRule() {
        assertThatThrownBy(() -> Chain.named("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a/b'")
                .hasMessageContaining("letters, digits");
    }

    @Test
    void aServiceNameIsTakenOnlyOnce() {
        Chain.Builder builder = Chain.named("orders").then("price", () -> PASS);
        assertThatThrownBy(() -> builder.then("price", () -> PASS)).hasMessageContaining("'price' is taken");
        assertThatThrownBy(() -> builder.then("outlet", () -> PASS)).hasMessageContaining("'outlet' is taken");
    }

    @Test
    void aChainWithoutServicesIsRefused() {
        assertThatThrownBy(Chain.named("empty")::build).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPartOfAChainIsRefusedByATransportThatCannotCrossProcesses() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        try (HostileTransport transport = new HostileTransport().without(Guarantee.CROSS_PROCESS);
                Loops loops = Loops.manual()) {
            assertThatThrownBy(
                            () -> chain.on(transport).with(loops).only("price").start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("hostile cannot cross processes");
        }
    }

    @Test
    void onlyNamesTheServicesThatExist() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        assertThatThrownBy(() -> chain.on(new HostileTransport()).only("prize"))
                .hasMessageContaining("no service 'prize'")
                .hasMessageContaining("price");
    }
}
