/**
 * The contract of a transport as JUnit 5 tests: one abstract class per theme, each extended by every transport with the
 * same {@link dev.baton.tck.TransportFixture}.
 *
 * <pre>{@code
 * interface OnMine extends FixtureSource {
 *     default TransportFixture newFixture() {
 *         return new MyFixture();
 *     }
 * }
 *
 * class MyTransportTest {
 *     @Nested class Order extends OrderTck implements OnMine {}
 *     @Nested class Consumption extends ConsumptionTck implements OnMine {}
 *     ...
 * }
 * }</pre>
 *
 * <p>The tests know nothing of a transport but its service provider interface. What lies behind a transport may be far
 * away: all waiting goes through {@link dev.baton.tck.Turns}, which gives connections their turns until what is awaited
 * has come.
 */
package dev.baton.tck;
