package dev.baton.spring.slice;

import org.springframework.stereotype.Component;

/** Would need a database. */
@Component
class Repository {
    Repository() {
        throw new IllegalStateException("no database in a test of chains");
    }
}
