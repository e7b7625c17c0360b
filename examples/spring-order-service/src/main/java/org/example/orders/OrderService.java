package org.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.*;
import dev.baton.codec.RoutingService;
import dev.baton.spring.BatonChains;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.*;

@SpringBootApplication
@RestController
public class OrderService {
    @Autowired
    private BatonChains chains;

    public static void main(String[] args) {
        SpringApplication.run(OrderService.class, args);
    }

    @PostMapping("/orders") // answers with the order's number when it is stored
    CompletableFuture<Long> order(@RequestBody Order order) {
        return chains.inlet("intake").offerStored(order, Order.CODEC, new MessageFields().key(UTF_8.encode(order.customer())));
    }

    @Bean
    Chain intake() { // without a service: from the inlet to its Kafka topic
        return Chain.named("intake").build();
    }

    @Bean
    Chain pricing() { // a foreign record that is no order becomes a dead letter
        var price = RoutingService.byType().on(Order.CODEC, (in, out) ->
                out.send(new Order(in.customer(), in.quantity(), 25L * in.quantity()), Order.CODEC, UTF_8.encode(in.customer())));
        return Chain.named("pricing").then("price", price, ErrorPolicy.deadLetter()).build();
    }
}
