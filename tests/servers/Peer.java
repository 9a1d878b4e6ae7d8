import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.admin.ProducerOffsetsResult;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;

/**
 * Fluss's own client behind a line protocol, as the independent peer of the tests: one command in, one answer out.
 *
 * <p>An answer is {@code ok …} or {@code err Class: message}. Offsets are written {@code TABLE[/PARTITION]:BUCKET=OFFSET}
 * with ids, tables {@code db.table}, partition specs {@code key=value,key=value}.
 */
public final class Peer {
    private static final long TIMEOUT_SECONDS = 60;

    private Connection connection;
    private Admin admin;
    private Readers readers;

    public static void main(String[] args) throws Exception {
        // The client must not write between the answers: they alone own stdout.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Peer peer = new Peer();
        answers.println("ok ready");
        for (String line; (line = commands.readLine()) != null; ) {
            answers.println(peer.answer(line));
        }
        Runtime.getRuntime().halt(0);
    }

    private String answer(String line) {
        List<String> words = Arrays.asList(line.trim().split(" +"));
        try {
            return ("ok " + run(words.get(0), words.subList(1, words.size()))).trim();
        } catch (Throwable e) {
            Throwable cause = e;
            while ((cause instanceof ExecutionException || cause instanceof CompletionException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            return "err " + cause.getClass().getSimpleName() + ": " + String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
        }
    }

    private String run(String command, List<String> args) throws Exception {
        switch (command) {
            case "connect":
                return connect(args.get(0), args.subList(1, args.size()));
            case "servers":
                return admin.getServerNodes().get(TIMEOUT_SECONDS, TimeUnit.SECONDS).stream()
                        .map(node -> node.serverType() + "=" + node.host() + ":" + node.port())
                        .sorted().collect(Collectors.joining(" "));
            case "create-database":
                admin.createDatabase(args.get(0), DatabaseDescriptor.EMPTY, true).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                return "";
            case "create-table":
                return createTable(table(args.get(0)), Integer.parseInt(args.get(1)), args.size() > 2 ? args.get(2) : "");
            case "create-partition":
                admin.createPartition(table(args.get(0)), new PartitionSpec(spec(args.get(1))), false)
                        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                return "";
            case "drop-table":
                admin.dropTable(table(args.get(0)), false).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                return "";
            case "append":
                return append(table(args.get(0)), Integer.parseInt(args.get(1)), args.size() > 2 ? spec(args.get(2)) : Map.of());
            case "offsets":
                return offsets(table(args.get(0)));
            case "table-info":
                return tableInfo(table(args.get(0)));
            case "register":
                return register(args.get(0), args.subList(1, args.size()));
            case "register-at":
                parkUntil(Long.parseLong(args.get(0)));
                return register(args.get(1), args.subList(2, args.size()));
            case "get":
                return get(args.get(0));
            case "delete":
                admin.deleteProducerOffsets(args.get(0)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                return "";
            case "readers":
                readers = new Readers(admin, Integer.parseInt(args.get(0)), Long.parseLong(args.get(1)), args.subList(2, args.size()));
                return "";
            case "readers-so-far":
                return readers.counts();
            case "readers-stop":
                return readers.stop();
            default:
                throw new IllegalArgumentException("no such command: " + command);
        }
    }

    private String connect(String servers, List<String> options) throws Exception {
        if (connection != null) {
            connection.close();
        }
        Configuration configuration = new Configuration();
        configuration.setString("bootstrap.servers", servers);
        for (String option : options) {
            int at = option.indexOf('=');
            configuration.setString(option.substring(0, at), option.substring(at + 1));
        }
        connection = ConnectionFactory.createConnection(configuration);
        admin = connection.getAdmin();
        return "";
    }

    /** Make a log table {@code (id BIGINT, v STRING)}, with a STRING column more for each partition key. */
    private String createTable(TablePath path, int buckets, String partitionKeys) throws Exception {
        Schema.Builder schema = Schema.newBuilder().column("id", DataTypes.BIGINT()).column("v", DataTypes.STRING());
        TableDescriptor.Builder descriptor = TableDescriptor.builder().distributedBy(buckets, "id");
        if (!partitionKeys.isEmpty()) {
            List<String> keys = Arrays.asList(partitionKeys.split(","));
            keys.forEach(key -> schema.column(key, DataTypes.STRING()));
            descriptor.partitionedBy(keys);
        }
        admin.createTable(path, descriptor.schema(schema.build()).build(), false).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return Long.toString(admin.getTableInfo(path).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).getTableId());
    }

    private String append(TablePath path, int rows, Map<String, String> partition) throws Exception {
        try (Table table = connection.getTable(path)) {
            AppendWriter writer = table.newAppend().createWriter();
            List<String> keys = table.getTableInfo().getPartitionKeys();
            for (long id = 0; id < rows; id++) {
                GenericRow row = new GenericRow(2 + keys.size());
                row.setField(0, id);
                row.setField(1, BinaryString.fromString("row " + id));
                for (int key = 0; key < keys.size(); key++) {
                    row.setField(2 + key, BinaryString.fromString(partition.get(keys.get(key))));
                }
                writer.append(row);
            }
            writer.flush();
        }
        return "";
    }

    /** Give the log end offset of every bucket, as a starting job registers it. */
    private String offsets(TablePath path) throws Exception {
        TableInfo info = admin.getTableInfo(path).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        List<Integer> buckets = IntStream.range(0, info.getNumBuckets()).boxed().collect(Collectors.toList());
        Map<TableBucket, Long> found = new HashMap<>();
        if (info.isPartitioned()) {
            for (PartitionInfo partition : admin.listPartitionInfos(path).get(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                admin.listOffsets(path, partition.getPartitionName(), buckets, new OffsetSpec.LatestSpec())
                        .all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .forEach((bucket, offset) ->
                                found.put(new TableBucket(info.getTableId(), partition.getPartitionId(), bucket), offset));
            }
        } else {
            admin.listOffsets(path, buckets, new OffsetSpec.LatestSpec()).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .forEach((bucket, offset) -> found.put(new TableBucket(info.getTableId(), bucket), offset));
        }
        return written(found);
    }

    /** Give {@code TABLE_ID BUCKETS [NAME=PARTITION_ID …]}. */
    private String tableInfo(TablePath path) throws Exception {
        TableInfo info = admin.getTableInfo(path).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        List<String> words = new ArrayList<>(List.of(Long.toString(info.getTableId()), Integer.toString(info.getNumBuckets())));
        if (info.isPartitioned()) {
            admin.listPartitionInfos(path).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).stream()
                    .sorted(Comparator.comparingLong(PartitionInfo::getPartitionId))
                    .forEach(partition -> words.add(partition.getPartitionName() + "=" + partition.getPartitionId()));
        }
        return String.join(" ", words);
    }

    private String register(String id, List<String> offsets) throws Exception {
        return admin.registerProducerOffsets(id, read(offsets)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).name();
    }

    /** Give {@code EXPIRATION_TIME [OFFSET …]}, or {@code none}. */
    private String get(String id) throws Exception {
        ProducerOffsetsResult result = admin.getProducerOffsets(id).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (result == null) {
            return "none";
        }
        Map<TableBucket, Long> all = new HashMap<>();
        result.getTableOffsets().values().forEach(all::putAll);
        return result.getExpirationTime() + " " + written(all);
    }

    private static void parkUntil(long epochMillis) {
        while (System.currentTimeMillis() < epochMillis) {
            LockSupport.parkUntil(epochMillis);
        }
    }

    private static TablePath table(String name) {
        int at = name.indexOf('.');
        return TablePath.of(name.substring(0, at), name.substring(at + 1));
    }

    private static Map<String, String> spec(String text) {
        Map<String, String> spec = new LinkedHashMap<>();
        for (String pair : text.split(",")) {
            int at = pair.indexOf('=');
            spec.put(pair.substring(0, at), pair.substring(at + 1));
        }
        return spec;
    }

    private static Map<TableBucket, Long> read(List<String> offsets) {
        Map<TableBucket, Long> map = new LinkedHashMap<>();
        for (String text : offsets) {
            int equals = text.indexOf('=');
            int colon = text.indexOf(':');
            int slash = text.indexOf('/');
            long table = Long.parseLong(text.substring(0, slash < 0 ? colon : slash));
            Long partition = slash < 0 ? null : Long.valueOf(text.substring(slash + 1, colon));
            int bucket = Integer.parseInt(text.substring(colon + 1, equals));
            map.put(new TableBucket(table, partition, bucket), Long.parseLong(text.substring(equals + 1)));
        }
        return map;
    }

    /** Write offsets in order of table, partition and bucket. */
    private static String written(Map<TableBucket, Long> offsets) {
        return offsets.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<TableBucket, Long> entry) -> entry.getKey().getTableId())
                        .thenComparing(entry -> entry.getKey().getPartitionId(), Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(entry -> entry.getKey().getBucket()))
                .map(entry -> {
                    TableBucket bucket = entry.getKey();
                    String partition = bucket.getPartitionId() == null ? "" : "/" + bucket.getPartitionId();
                    return bucket.getTableId() + partition + ":" + bucket.getBucket() + "=" + entry.getValue();
                })
                .collect(Collectors.joining(" "));
    }

    /**
     * Threads that poll snapshots as a starting job's tasks do, and count the answers that would make a job wipe its
     * table: a valid expiry, but no tables.
     */
    private static final class Readers {
        private final Admin admin;
        private final List<String> ids;
        private final ScheduledExecutorService threads;
        private final AtomicLong reads = new AtomicLong();
        private final AtomicLong emptied = new AtomicLong();
        private final AtomicLong errors = new AtomicLong();

        Readers(Admin admin, int count, long periodMillis, List<String> ids) {
            this.admin = admin;
            this.ids = List.copyOf(ids);
            this.threads = Executors.newScheduledThreadPool(count);
            for (int reader = 0; reader < count; reader++) {
                AtomicInteger turn = new AtomicInteger(reader);
                threads.scheduleAtFixedRate(() -> read(turn.getAndIncrement()), 0, periodMillis, TimeUnit.MILLISECONDS);
            }
        }

        private void read(int turn) {
            try {
                ProducerOffsetsResult result =
                        admin.getProducerOffsets(ids.get(turn % ids.size())).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                reads.incrementAndGet();
                if (result != null && result.getTableOffsets().isEmpty() && result.getExpirationTime() > System.currentTimeMillis()) {
                    emptied.incrementAndGet();
                }
            } catch (Exception e) {
                errors.incrementAndGet();
            }
        }

        /** End the threads and give {@link #counts}. */
        String stop() throws InterruptedException {
            threads.shutdown();
            threads.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return counts();
        }

        /** Give {@code READS EMPTIED ERRORS}. */
        String counts() {
            return reads + " " + emptied + " " + errors;
        }
    }
}
