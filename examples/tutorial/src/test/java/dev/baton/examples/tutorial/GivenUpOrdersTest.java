package dev.baton.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RequestFailedException;
import dev.baton.Requests;
import dev.baton.codec.TypedService;
import dev.baton.deadletters.DeadLetter;
import dev.baton.examples.tutorial.Step1Chain.Order;
import dev.baton.examples.tutorial.Step1Chain.Priced;
import dev.baton.test.ChainTester;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class GivenUpOrdersTest {
    private static final Order MILK = new Order(1, "ada", "milk", 1);

    private final List<String> givenUp = new ArrayList<>();

    private Chain chain() {
        ErrorPolicy letters = ErrorPolicy.retry(2)
                .after(Duration.ofSeconds(1))
                .thenDeadLetter((service, in, attempts, cause) -> {
                    String customer = StandardCharsets.UTF_8.decode(in.key()).toString();
                    givenUp.add(service + ", " + customer + ", "
                            + Order.CODEC.decode(in).item() + ", " + attempts + ", " + cause.getMessage());
                });
        return Chain.named("orders")
                .then("price", TypedService.mapping(Order.CODEC, Priced.CODEC, Step1Chain::price), letters)
                .build();
    }

    private static ByteBuffer ada() {
        return StandardCharsets.UTF_8.encode("ada");
    }

    @Test
    void orderWithoutPriceIsADeadLetter() {
        try (ChainTester tester = ChainTester.of(chain())) {
            tester.send(MILK, Order.CODEC, ada()).advance(Duration.ofSeconds(2));
            assertEquals(List.of("price, ada, milk, 3, no price for milk"), givenUp);
            DeadLetter letter = tester.deadLetters("price").get(0);
            assertEquals(3, letter.attempts());
            assertEquals("no price for milk", letter.text());
        }
    }

    @Test
    void requestFailsWithTheCause() {
        try (ChainTester tester = ChainTester.of(chain());
                Requests<Order, Priced> requests = tester.requests(Order.CODEC, Priced.CODEC)) {
            CompletableFuture<Optional<Priced>> reply = requests.ask(ada(), MILK, Duration.ofMinutes(1));
            tester.advance(Duration.ofSeconds(2));
            CompletionException failure = assertThrows(CompletionException.class, reply::join);
            assertInstanceOf(RequestFailedException.class, failure.getCause());
        }
    }
}
