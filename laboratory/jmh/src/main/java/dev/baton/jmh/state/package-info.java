/**
 * Programs that measure the cost of state and of replays. They are not benchmarks of JMH, as each run takes seconds to minutes, and some
 * halt their JVM. Each prints a table.
 * <pre>
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.state.RecoveryTime chronicle 1000000,10000000 3
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.state.SnapshotCost chronicle,kafka 1,100 10
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.state.SnapshotHop 20 16 64
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.state.ReplaySpeed 20000000 64 5 1
 * </pre>
 *
 * <p>Topics lie in the directory for temporary files and are removed afterwards: 60 bytes for each recorded input, about 6 GB for 100
 * million.
 */
package dev.baton.jmh.state;
