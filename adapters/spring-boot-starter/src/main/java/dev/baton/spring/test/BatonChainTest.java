package dev.baton.spring.test;

import dev.baton.spring.BatonAutoConfiguration;
import dev.baton.test.BatonTest;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * Tests the chains of an application in memory, on the thread of the test and by a virtual clock, without web server, transports and the
 * application's other components.
 * <pre>{@code
 * @BatonChainTest
 * class PricingTest {
 *     @Test
 *     void anOrderIsPriced(@Autowired Chain pricing, Testers testers) {
 *         ChainTester tester = testers.of(pricing);
 *         tester.send(new Order("k", 2), Order.CODEC);
 *         assertEquals(50, tester.takeOne(Priced.CODEC).total());
 *     }
 * }
 * }</pre>
 *
 * <p>Beans are those of the application's class, of scanned configuration classes that declare a {@link dev.baton.Chain}, and scanned
 * components that are a {@link dev.baton.Service} or a {@link dev.baton.spring.ChainCustomizer}; {@code @Import} adds others. Chains are
 * not started; {@link dev.baton.test.Testers} of {@code baton-test} run them.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BatonTest
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"spring.boot.enableautoconfiguration=false", "baton.auto-start=false"})
@ImportAutoConfiguration(BatonAutoConfiguration.class)
public @interface BatonChainTest {}
