/* test_hd_model.c - model plug-ins as C sees them: instances, images, waves, refusals. The model is a FIFO. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "hd_model.h"

#define WAVE_MODEL "build/c/model_wave/model.so"
#define FAST_MODEL "build/c/model_fast/model.so"

struct fifo {
    struct hd_model *m;
    uint8_t *rst, *in_valid, *out_ready;
    const uint8_t *out_valid;
    uint32_t *in_data;
    const uint32_t *out_data;
};

static void fifo_open(struct fifo *f, const char *path)
{
    f->m = hd_model_open(path, "fifo");
    assert_non_null(f->m);
    f->rst = hd_model_port_of_width(f->m, "rst_i", 1);
    f->in_valid = hd_model_port_of_width(f->m, "in_valid_i", 1);
    f->out_ready = hd_model_port_of_width(f->m, "out_ready_i", 1);
    f->out_valid = hd_model_port_of_width(f->m, "out_valid_o", 1);
    f->in_data = hd_model_port_of_width(f->m, "in_data_i", 32);
    f->out_data = hd_model_port_of_width(f->m, "out_data_o", 32);
    assert_true(f->rst && f->in_valid && f->out_ready && f->out_valid && f->in_data && f->out_data);
    hd_model_zero_inputs(f->m);
    *f->rst = 1;
    hd_model_edge(f->m);
    *f->rst = 0;
    hd_model_eval(f->m);
}

static void fifo_push(struct fifo *f, uint32_t data)
{
    *f->in_valid = 1;
    *f->in_data = data;
    hd_model_edge(f->m);
    *f->in_valid = 0;
    hd_model_eval(f->m);
}

static uint32_t fifo_pop(struct fifo *f)
{
    uint32_t data = *f->out_data;

    assert_int_equal(*f->out_valid, 1);
    *f->out_ready = 1;
    hd_model_edge(f->m);
    *f->out_ready = 0;
    hd_model_eval(f->m);
    return data;
}

static int build_models(void **state)
{
    (void)state;
    return system("tb/model/build_model.sh build/c/model_wave hd_fifo wave Width=32 Depth=3 &&"
                  "tb/model/build_model.sh build/c/model_fast hd_fifo fast Width=32 Depth=3");
}

static void instances_of_one_model_are_independent(void **state)
{
    struct fifo a, b;

    (void)state;
    fifo_open(&a, FAST_MODEL);
    fifo_open(&b, FAST_MODEL);
    fifo_push(&a, 0x1234);
    assert_int_equal(*b.out_valid, 0);
    fifo_push(&b, 0x5678);
    hd_model_close(a.m);
    assert_int_equal(fifo_pop(&b), 0x5678);
    hd_model_close(b.m);
}

static void an_image_restores_and_clones_the_state(void **state)
{
    struct fifo a, b;
    size_t size = 0;
    void *image;

    (void)state;
    fifo_open(&a, WAVE_MODEL);
    fifo_open(&b, WAVE_MODEL);
    fifo_push(&a, 11);
    fifo_push(&a, 22);
    image = hd_model_save(a.m, &size);
    assert_non_null(image);
    assert_int_equal(fifo_pop(&a), 11);
    assert_true(hd_model_restore(a.m, image, size));
    assert_true(hd_model_restore(b.m, image, size));
    assert_int_equal(fifo_pop(&a), 11);
    assert_int_equal(fifo_pop(&a), 22);
    assert_int_equal(fifo_pop(&b), 11);
    assert_int_equal(fifo_pop(&b), 22);
    assert_false(hd_model_restore(a.m, image, size - 1));
    free(image);
    hd_model_close(a.m);
    hd_model_close(b.m);
}

static void waves_are_written_by_wave_models_only(void **state)
{
    struct fifo a, b;
    FILE *file;

    (void)state;
    fifo_open(&a, WAVE_MODEL);
    fifo_open(&b, FAST_MODEL);
    remove("build/c/model.fst");
    assert_true(hd_model_trace_open(a.m, "build/c/model.fst"));
    for (unsigned t = 0; t < 10; t++) {
        fifo_push(&a, t);
        hd_model_trace_dump(a.m, t);
    }
    hd_model_trace_close(a.m);
    file = fopen("build/c/model.fst", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) > 200);
    fclose(file);
    assert_false(hd_model_trace_open(b.m, "build/c/model2.fst"));
    assert_false(hd_model_trace_open(a.m, "build/c/no/such/folder/model.fst"));
    hd_model_close(a.m);
    hd_model_close(b.m);
}

static void what_is_no_model_or_no_port_is_refused(void **state)
{
    struct fifo a;
    unsigned width = 0;

    (void)state;
    assert_null(hd_model_open("build/c/no_such_model.so", "x"));
    assert_null(hd_model_open("Makefile", "x"));
    fifo_open(&a, FAST_MODEL);
    assert_non_null(hd_model_port(a.m, "in_data_i", &width));
    assert_int_equal(width, 32);
    assert_null(hd_model_port(a.m, "no_such_port_i", &width));
    assert_null(hd_model_port_of_width(a.m, "in_data_i", 31));
    assert_false(hd_model_has_asserts(a.m));
    assert_int_equal(hd_model_assert_failures(a.m), 0);
    hd_model_close(a.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_of_one_model_are_independent),
        cmocka_unit_test(an_image_restores_and_clones_the_state),
        cmocka_unit_test(waves_are_written_by_wave_models_only),
        cmocka_unit_test(what_is_no_model_or_no_port_is_refused),
    };
    return cmocka_run_group_tests(tests, build_models, NULL);
}
