package dev.baton.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.spring.BatonChains;
import dev.baton.spring.test.BatonChainTest;
import dev.baton.test.ChainTester;
import dev.baton.test.Testers;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A slice contains the chains, and nothing else of the application. */
@BatonChainTest
class BatonChainTestTest {
    @Autowired
    private Chain forwarding;

    @Autowired
    private BatonChains chains;

    @Test
    void aChainOfTheApplicationRunsInMemory(Testers testers) {
        ChainTester tester = testers.of(forwarding);
        tester.send(new byte[] {7});
        assertThat(tester.takeOne().getByte(0)).isEqualTo((byte) 7);
        assertThat(chains.isRunning()).isFalse();
    }
}
