package dev.baton.examples.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.test.BatonTest;
import dev.baton.test.ChainTester;
import dev.baton.test.Testers;
import org.junit.jupiter.api.Test;

@BatonTest
class GatewayServicesTest {
    @Test
    void servicesRepeatAnswersAfterRestart(Testers testers) {
        byte[] body = {7, 0, 0, 0, 0, 0, 0, 0};
        ChainTester gateway = testers.of(HttpGateway.chain("gateway", 5));
        assertThat(gateway.send(body).takeOne().bytes()).isEqualTo(body);
        gateway.assertRepeatable();
    }
}
