/**
 * One hop under the microscope: a message written to a topic and read from it on one thread, through Baton's SPI and
 * through the library itself, with the same bytes. No clock is read, no service runs, nothing crosses threads: what is measured is what the
 * library and Baton cost, and what a batch saves. Beside it {@code ReceivePath}: what the laboratory itself adds to each
 * message that it measures; {@code ChecksumCost}: what checksums cost a hop; and {@code
 * InletCost}: what an inlet costs beside a source on the loop.
 *
 * <pre>
 * java -cp laboratory/app/target/baton.jar org.openjdk.jmh.Main -l                  # what there is
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops             # runs all of it, about seven minutes
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops Disruptor -p batch=16 -f 3
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops ReceivePath -prof gc
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops ChecksumCost  # two minutes
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops InletCost     # a minute
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.HopRatios laboratory/jmh/ratios.csv  # a minute
 * </pre>
 *
 * <p>{@code Hops} takes the arguments of JMH and adds the flags that Chronicle Queue needs of the JVMs that JMH forks.
 * Queues lie in the directory for temporary files and are removed after each iteration: about 200 MB at a time.
 * {@code HopRatios} fails when a hop became slower than a kept baseline allows.
 */
package dev.baton.jmh;
