package dev.baton.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class testers as parameters, which {@link BatonTestExtension} closes.
 *
 * <pre>{@code
 * @BatonTest
 * class PriceTest {
 *     @Test
 *     void pricesAnOrder(@TestOf(Price.class) ServiceTester tester) {
 *         tester.send(new Order(1, 10), Order.CODEC);
 *         assertEquals(new Priced(1, 250), tester.takeOne(Priced.CODEC));
 *     }
 *
 *     @RepeatedTest(10)
 *     void isRepeatable(Testers testers, @Seed long seed) {
 *         ...
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BatonTestExtension.class)
public @interface BatonTest {}
