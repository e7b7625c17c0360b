package dev.baton.lab.outside;

import dev.baton.lab.request.Study;

/** Says something. @param words what */
record EchoStudy(String words) implements Study {}
