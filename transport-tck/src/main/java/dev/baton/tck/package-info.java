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
 * <table>
 * <caption>Which classes apply</caption>
 * <tr><th>to</th><th>classes</th></tr>
 * <tr><td>every transport</td><td>{@link dev.baton.tck.OrderTck}, {@link dev.baton.tck.ConsumptionTck}, {@link
 * dev.baton.tck.ClaimTck}, {@link dev.baton.tck.BatchTck}, {@link dev.baton.tck.PayloadTck}, {@link
 * dev.baton.tck.HeaderTck}, {@link dev.baton.tck.ChecksumTck}, {@link dev.baton.tck.BackPressureTck}, {@link
 * dev.baton.tck.PositionTck}, {@link dev.baton.tck.RecoveryTck}, {@link dev.baton.tck.IdentityTck}, {@link
 * dev.baton.tck.admin.TopicTck}, {@link dev.baton.tck.TwoThreadTck}, {@link dev.baton.tck.lifecycle.ConfinementTck}, {@link
 * dev.baton.tck.lifecycle.LifecycleTck}, {@link dev.baton.tck.lifecycle.OpeningTck}, {@link dev.baton.tck.lifecycle.InterruptTck}, {@link
 * dev.baton.tck.admin.InspectionTck}, {@link
 * dev.baton.tck.chain.ChainTck}, {@link dev.baton.tck.chain.ChainEdgesTck}, {@link dev.baton.tck.chain.EdgeTck}, {@link
 * dev.baton.tck.chain.PartitionsTck}, {@link dev.baton.tck.chain.MessageTck}, {@link dev.baton.tck.chain.InletTck}, {@link
 * dev.baton.tck.admin.ForgetConsumerTck}, {@link dev.baton.tck.StartTck}, {@link dev.baton.tck.chain.CompositionTck}, {@link
 * dev.baton.tck.chain.StateTck}, {@link dev.baton.tck.chain.RequestsTck}, {@link dev.baton.tck.WaitTck}</td></tr>
 * <tr><td>one that is found by name</td><td>{@link dev.baton.tck.admin.ProviderTck}</td></tr>
 * <tr><td>{@link dev.baton.spi.Guarantee#IMMEDIATE}</td><td>{@link dev.baton.tck.BatchTck}: a flushed batch is visible at
 * the first poll</td></tr>
 * <tr><td>{@link dev.baton.spi.Guarantee#DURABLE}</td><td>the tests with {@link dev.baton.tck.TransportTck.Restart#TRANSPORT}; {@link
 * dev.baton.tck.admin.InspectionTck}</td></tr>
 * <tr><td>{@link dev.baton.spi.Guarantee#EXCLUSIVE}</td><td>{@link dev.baton.tck.RecoveryTck}, {@link
 * dev.baton.tck.PositionTck}: a second writer or reader is refused</td></tr>
 * <tr><td>{@link dev.baton.spi.Guarantee#CROSS_PROCESS} without {@code EXCLUSIVE}</td><td>{@link
 * dev.baton.tck.fencing.RivalWritersTck}, {@link dev.baton.tck.fencing.RivalReadersTck}, {@link dev.baton.tck.fencing.RivalChainsTck}, {@link
 * dev.baton.tck.fencing.FailuresTck}</td></tr>
 * <tr><td>{@link dev.baton.spi.Transport#sharesPartitions}</td><td>{@link dev.baton.tck.group.GroupTck}</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#backlog}</td><td>{@link dev.baton.tck.BackPressureTck}, {@link
 * dev.baton.tck.chain.SlowConsumerTck}</td></tr>
 * <tr><td>{@link dev.baton.spi.Guarantee#CROSS_HOST}</td><td>{@link dev.baton.tck.WaitTck}: an await ends when a frame
 * arrives</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#networkFaults}</td><td>{@link dev.baton.tck.network.NetworkFaultTck}, {@link
 * dev.baton.tck.network.StalledServerTck}</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#storageFaults}</td><td>{@link dev.baton.tck.StorageFaultTck}</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#removesFrames}</td><td>{@link dev.baton.tck.admin.RetentionTck}</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#keepsAcknowledgedFrames}</td><td>{@link dev.baton.tck.admin.InspectionTck}, {@link
 * dev.baton.tck.fencing.RivalWritersTck}, {@link dev.baton.tck.fencing.RivalReadersTck}: acknowledged frames are still there</td></tr>
 * <tr><td>{@link dev.baton.tck.TransportFixture#allocatesNothing}</td><td>{@link
 * dev.baton.tck.HotPathAllocationTck}</td></tr>
 * </table>
 *
 * <p>A class skips what a transport does not promise, so that one may extend all of them.
 *
 * <p>The tests know nothing of a transport but its service provider interface. What lies behind a transport may be far
 * away: all waiting goes through {@link dev.baton.tck.Turns}, which gives connections their turns until what is awaited
 * has come.
 */
package dev.baton.tck;
