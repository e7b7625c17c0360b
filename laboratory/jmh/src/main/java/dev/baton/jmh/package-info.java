/**
 * Microbenchmarks of one hop: a message written to a topic and read from it on one thread, through Baton's SPI and through the library
 * itself, with the same bytes. No clock is read, no service runs, no data crosses threads: the figures are the costs of the library and of
 * Baton, and the saving of a batch. In addition {@code ReceivePath} measures the laboratory's own cost for each message, {@code
 * ChecksumCost} the ratio of hops with checksums to those without, and {@code InletCost} the cost of an inlet compared with a source on the loop.
 * <pre>
 * java -cp laboratory/app/target/baton.jar org.openjdk.jmh.Main -l                  # lists them
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops             # runs all of it, about seven minutes
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops Disruptor -p batch=16 -f 3
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops ReceivePath -prof gc
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.ChecksumCost     # two minutes
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.Hops InletCost     # a minute
 * java -cp laboratory/app/target/baton.jar dev.baton.jmh.HopRatios laboratory/jmh/ratios.csv  # two to four minutes
 * </pre>
 *
 * <p>{@code Hops} takes the arguments of JMH and adds the flags that Chronicle Queue needs of the JVMs that JMH forks. Queues lie in the
 * directory for temporary files and are removed after each iteration: about 200 MB at a time. {@code HopRatios} fails when a hop became
 * slower than a kept baseline allows.
 */
package dev.baton.jmh;
