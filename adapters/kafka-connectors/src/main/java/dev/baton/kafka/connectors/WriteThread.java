package dev.baton.kafka.connectors;

import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes outputs to a plain topic, a batch at a time, on a separate thread, as a producer and its transactions may block.
 *
 * <p>The chain's position is stored in the batch's transaction, as the offset of a group without members, on partition 0 of the target: the
 * sequence of the last output, and the identity of the chain's topic in which it counts. {@link #add} belongs to the loop. Its queue is
 * bounded by the outputs that a chain holds ({@code Deployment.maxHeld}).
 */
final class WriteThread {
    private static final int MOST_IN_A_BATCH = 1000;
    private static final int RECORD_BYTES = 200; // what a record takes besides its key, value and headers
    private static final long WAIT_MILLIS = 50;
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(20);
    private static final int MEMORY_BYTES = 32 << 20; // buffer.memory unless it is set
    private static final int BUFFER_BYTES = 16 << 10; // batch.size unless it is set
    private static final int PATIENCE_MILLIS = 120_000; // delivery.timeout.ms unless it is set
    private static final int TRANSACTION_MILLIS = 60_000; // transaction.timeout.ms unless it is set

    private record Output(long sequence, ProducerRecord<byte[], byte[]> record) {
        /** Returns about how many bytes of the producer's memory the record takes if nothing else shares its buffer. */
        long bytes(long leastBytes) {
            long bytes = RECORD_BYTES + length(record.key()) + length(record.value());
            for (Header header : record.headers()) {
                bytes += header.key().length() + length(header.value());
            }
            return Math.max(bytes, leastBytes);
        }

        private static int length(byte[] bytes) {
            return bytes == null ? 0 : bytes.length;
        }
    }

    private final KafkaSink sink;
    private final String id;
    private final long identity;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ConsumerGroupMetadata group;
    private final long patienceNanos; // for a step of a transaction
    private final long transactionNanos; // after which the cluster aborts a transaction
    private final long memoryBytes; // of the producer
    private final long bufferBytes; // least part of it that is taken at a time
    private final BlockingQueue<Output> outputs = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile long arrived;
    private volatile boolean isFinishing; // ends when all is written
    private volatile boolean isClosing; // ends now
    private volatile Exception refusal; // of a record, behind which nothing is sent; null for none
    private volatile boolean isOverdue; // the transaction that failed was open for longer than a cluster allows
    private volatile Throwable failure;

    private WriteThread(KafkaSink sink, String id, long identity) {
        this.sink = sink;
        this.id = id;
        this.identity = identity;
        Map<String, Object> settings = new HashMap<>();
        settings.put("enable.metrics.push", "false");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) OPEN_LIMIT.toMillis());
        if (sink.isTransactional()) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        } else {
            settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
            settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE); // or until the close
        }
        settings.putAll(sink.topic().clientProperties());
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, sink.topic().bootstrapServers());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        this.group = group(sink.topic(), id); // first: a producer has a thread
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(
                number(settings, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS));
        this.transactionNanos = TimeUnit.MILLISECONDS.toNanos(
                number(settings, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS));
        this.memoryBytes = number(settings, ProducerConfig.BUFFER_MEMORY_CONFIG, MEMORY_BYTES);
        this.bufferBytes = number(settings, ProducerConfig.BATCH_SIZE_CONFIG, BUFFER_BYTES);
        this.thread = new Thread(this::run, "baton-write-" + sink.topic().name());
        thread.setDaemon(true);
    }

    private static long number(Map<String, Object> settings, String name, int otherwise) {
        return Long.parseLong(settings.getOrDefault(name, otherwise).toString().trim());
    }

    /** Returns the metadata of a group without members: the only way to name a group to a producer. Sends no request. */
    private static ConsumerGroupMetadata group(KafkaTopic topic, String id) {
        Map<String, Object> settings = new HashMap<>(topic.clientProperties());
        settings.put("enable.metrics.push", "false");
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.bootstrapServers());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, id);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return consumer.groupMetadata();
        }
    }

    /** Replaces an earlier writer of this id, whose open transaction is aborted. Blocks. */
    static WriteThread open(KafkaSink sink, String id, long identity) {
        WriteThread writing = new WriteThread(sink, id, identity);
        try {
            if (sink.isTransactional()) {
                writing.producer.initTransactions();
            }
            return writing;
        } catch (RuntimeException failed) {
            writing.producer.close(Duration.ZERO);
            throw new TransportException(
                    sink.topic() + ": no transactions for '" + id + "': " + failed.getMessage()
                            + "; allow them, or write with KafkaSink.atLeastOnce()",
                    failed);
        }
    }

    /** Returns the sequence of the chain's topic up to which a cluster has stored outputs, 0 for none. */
    static long progress(OffsetAndMetadata committed, long identity) {
        return committed == null || identity == 0 || !committed.metadata().equals(metadata(identity))
                ? 0
                : committed.offset();
    }

    private static String metadata(long identity) {
        return "baton " + Long.toHexString(identity);
    }

    /** Begins to write; outputs up to this one are already written. */
    void start(long writtenBefore) {
        arrived = writtenBefore;
        thread.start();
    }

    void add(long sequence, ProducerRecord<byte[], byte[]> record) {
        outputs.add(new Output(sequence, record));
    }

    /** {@return the sequence up to which everything is written} */
    long arrived() {
        return arrived;
    }

    /** Throws the failure that has stopped the thread. */
    void check() {
        Throwable stopped = failure;
        boolean isFenced =
                stopped instanceof ProducerFencedException || stopped instanceof InvalidProducerEpochException;
        if (isFenced && isOverdue) { // an abort fences as well
            throw new TransportException(
                    sink.topic() + ": a transaction of '" + id + "' was open for longer than "
                            + TimeUnit.NANOSECONDS.toMillis(transactionNanos)
                            + " ms (transaction.timeout.ms), as the cluster did not answer, so the cluster has aborted"
                            + " it, unless another process writes the outputs of this chain now; start the chain again",
                    stopped);
        }
        if (isFenced) {
            throw new ReplacedException(
                    sink.topic().name(),
                    sink.topic() + ": another process writes the outputs of this chain now ('" + id + "')",
                    stopped);
        }
        if (stopped != null) {
            throw new TransportException(sink.topic() + ": " + reason(stopped), stopped);
        }
    }

    /** Returns what was refused, too, where the producer says only that its transaction has failed. */
    private static String reason(Throwable stopped) {
        Throwable cause = stopped.getCause();
        return stopped.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }

    private void run() {
        List<Output> batch = new ArrayList<>();
        try {
            while (!isClosing && !(isFinishing && outputs.isEmpty())) {
                Output first = outputs.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    fill(batch);
                    write(batch);
                    arrived = batch.get(batch.size() - 1).sequence();
                    batch.clear();
                }
            }
        } catch (ExecutionException refused) {
            failure = refused.getCause();
        } catch (InterruptedException | RuntimeException | Error stopped) {
            failure = stopped;
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    /**
     * Adds what is queued, as far as it fits into the producer's memory: for what does not, a send waits while the cluster is
     * away, and only as long as an opening may take.
     */
    private void fill(List<Output> batch) {
        long left = memoryBytes - batch.get(0).bytes(bufferBytes);
        for (Output next = outputs.peek(); next != null && batch.size() < MOST_IN_A_BATCH; next = outputs.peek()) {
            left -= next.bytes(bufferBytes);
            if (left < 0) {
                return;
            }
            batch.add(outputs.remove());
        }
    }

    private void write(List<Output> batch) throws ExecutionException, InterruptedException {
        if (sink.isTransactional()) {
            writeInTransaction(batch);
        } else {
            send(batch);
        }
    }

    private void writeInTransaction(List<Output> batch) throws ExecutionException, InterruptedException {
        // a producer that has lost all brokers has forgotten the topic, for which a send waits as long as an opening
        untilAnswered(() -> producer.partitionsFor(sink.topic().name()));
        producer.beginTransaction();
        long begun = System.nanoTime();
        try {
            send(batch);
            long last = batch.get(batch.size() - 1).sequence();
            Map<TopicPartition, OffsetAndMetadata> position =
                    Map.of(new TopicPartition(sink.topic().name(), 0), new OffsetAndMetadata(last, metadata(identity)));
            untilAnswered(() -> producer.sendOffsetsToTransaction(position, group));
            untilAnswered(producer::commitTransaction);
        } catch (ExecutionException | RuntimeException failed) {
            isOverdue = System.nanoTime() - begun >= transactionNanos;
            abort(failed);
            throw failed;
        }
    }

    /** Repeats a call for as long as a record may stay unconfirmed; an attempt waits as long as an opening. */
    private void untilAnswered(Runnable call) {
        long begun = System.nanoTime();
        while (true) {
            try {
                call.run();
                return;
            } catch (TimeoutException notYet) {
                if (isClosing || System.nanoTime() - begun >= patienceNanos) {
                    throw notYet;
                }
            }
        }
    }

    /** Aborts the transaction, so that readers do not wait for its timeout. */
    private void abort(Exception because) {
        try {
            producer.abortTransaction();
        } catch (RuntimeException cannot) { // the next writer of this id aborts it
            because.addSuppressed(cannot);
        }
    }

    private void send(List<Output> batch) throws ExecutionException, InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
        try {
            for (Output output : batch) {
                sent.add(producer.send(output.record(), this::answered));
            }
            producer.flush();
        } catch (RuntimeException stopped) {
            if (refusal == null) {
                throw stopped;
            }
        }
        if (refusal != null) {
            throw new ExecutionException(refusal); // and not that the producer was closed
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
    }

    /**
     * Stops the producer when a record is refused, before it sends those behind it, unless the transaction is aborted. Called by the
     * producer's thread, or within a send.
     */
    private void answered(RecordMetadata stored, Exception refused) {
        if (refused != null && refusal == null && !sink.isTransactional()) {
            refusal = refused;
            producer.close(Duration.ZERO);
        }
    }

    /** Writes all queued outputs, waiting up to the limit, and ends. */
    void finish(Duration limit) {
        isFinishing = true;
        join(limit.toMillis());
        if (!thread.isAlive()) {
            check();
        }
    }

    /** Ends now, and releases the producer. */
    void close() {
        isClosing = true;
        if (thread.isAlive()) {
            join(WAIT_MILLIS * 4);
            producer.close(Duration.ZERO); // later sends fail, and end the thread
            thread.interrupt(); // a transaction waits for a deleted topic
            join(1000);
        } else {
            producer.close(Duration.ZERO);
        }
    }

    private void join(long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
