package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.baton.RunningChain;
import dev.baton.Chain;
import dev.baton.run.Loops;
import dev.baton.test.MemoryTransport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrailTest {
    @Test
    void orderTakesOneBranchAndIsMergedOnce() {
        List<String> trail = new ArrayList<>();
        try (MemoryTransport transport = MemoryTransport.create();
                Loops loops = Loops.manual()) {
            List<RunningChain> running = Trail.start(transport, loops);
            try (var tap = Chain.tap("test", Trail.ALL.topic()).on(transport).with(loops).onOutput(in -> trail.add(
                            Trail.ALL.inputOf(in) + " " + Order.CODEC.decode(in).id())).start()) {
                for (int id = 1; id <= 4; id++) {
                    running.get(0).inlet().send(new Order(id, id % 2), Order.CODEC);
                }
                int work = 1;
                while (work > 0) {
                    work = loops.turn();
                }
                assertEquals(List.of("bad-1 2", "bad-1 4", "good-1 1", "good-1 3"), trail.stream().sorted().toList());
                running.forEach(RunningChain::close);
            }
        }
    }
}
